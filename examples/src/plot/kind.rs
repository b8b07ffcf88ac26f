//! The kinds of files that pictures are written as.

use std::path::Path;

use super::drawing::Drawing;
use super::{png, svg};
use crate::{Error, NewFile, Result};

/// The kind of file that a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Points, as Portable Network Graphics.
    Png,
    /// Shapes, as Scalable Vector Graphics.
    Svg,
}

impl Kind {
    /// The kind, by the end of the file's name.
    ///
    /// # Errors
    ///
    /// The end is not known.
    pub fn of(path: &Path) -> Result<Kind> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("png") => Ok(Kind::Png),
            Some("svg") => Ok(Kind::Svg),
            _ => Err(Error::UnknownKind { path: path.into(), expected: ".png or .svg" }),
        }
    }

    /// Writes a drawing as a file of this kind.
    pub(super) fn write(self, file: &NewFile, drawing: &Drawing) -> Result<()> {
        file.write(|writer| match self {
            Kind::Png => png::write(drawing, writer),
            Kind::Svg => svg::write(drawing, writer),
        })
    }
}

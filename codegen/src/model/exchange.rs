//! The names of rows and columns in a kernel whose rows are the user's columns.

use super::{Count, Kernel};

impl Kernel {
    /// The kernel's index or count for one of a body's: those of rows and columns may be exchanged.
    pub(crate) fn own_name(&self, name: &'static str) -> &'static str {
        match name {
            "i" if self.form.is_exchanged => "j",
            "j" if self.form.is_exchanged => "i",
            "rows" if self.form.is_exchanged => "columns",
            "columns" if self.form.is_exchanged => "rows",
            name => name,
        }
    }

    /// The user's count for one of the kernel's. The kernel's for one of the user's is the same exchange.
    pub(crate) fn own_count(&self, count: Count) -> Count {
        if self.form.is_exchanged { count.exchanged() } else { count }
    }

    /// The counts that no parameter has, which are a launch's first arguments.
    pub(crate) fn missing_counts(&self) -> Vec<Count> {
        let missing = Count::missing(self.parameters.iter().map(Some)).into_iter();
        missing.map(|count| self.own_count(count)).collect()
    }
}

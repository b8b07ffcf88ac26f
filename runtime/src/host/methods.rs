//! Methods that many types have.

/// `len`, the number of these things, and `is_empty`.
macro_rules! length {
    ($self:ident, $things:literal, $count:expr) => {
        #[doc = concat!("The number of ", $things, ".")]
        pub fn len(&$self) -> usize {
            $count
        }

        #[doc = concat!("Whether there are no ", $things, ".")]
        pub fn is_empty(&$self) -> bool {
            $self.len() == 0
        }
    };
}

/// `clear`, which does this.
macro_rules! clear {
    ($self:ident, $about:literal, $clear:expr) => {
        #[doc = $about]
        ///
        /// # Errors
        ///
        /// The device failed.
        pub fn clear(&mut $self) -> $crate::Result<()> {
            $clear
        }
    };
}

/// `Debug`, which shows what these methods return, or these values of `self`.
macro_rules! debug {
    ([$($generic:tt)*] $name:ident $(<$($parameter:tt),*>)?: $($method:ident),*) => {
        $crate::host::methods::debug! {
            [$($generic)*] $name $(<$($parameter),*>)?, self: $($method = self.$method()),*
        }
    };
    (
        [$($generic:tt)*] $name:ident $(<$($parameter:tt),*>)?,
        $self:ident: $($field:ident = $value:expr),*
    ) => {
        impl<$($generic)*> std::fmt::Debug for $name $(<$($parameter),*>)? {
            fn fmt(&$self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name))
                    $(.field(stringify!($field), &$value))*
                    .finish_non_exhaustive()
            }
        }
    };
}

/// Access to the target that is this field of a device or of several.
macro_rules! is_target {
    ($name:ident, $field:ident) => {
        impl std::ops::Deref for $name {
            type Target = Target;

            fn deref(&self) -> &Target {
                &self.$field
            }
        }

        impl AsRef<Target> for $name {
            fn as_ref(&self) -> &Target {
                &self.$field
            }
        }

        impl From<$name> for Target {
            fn from(own: $name) -> Target {
                own.$field
            }
        }
    };
}

pub(crate) use {clear, debug, is_target, length};

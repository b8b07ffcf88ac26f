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

/// `Debug`, which shows what these methods return.
macro_rules! debug {
    ([$($generic:tt)*] $name:ident $(<$($parameter:tt),*>)?: $($method:ident),*) => {
        impl<$($generic)*> std::fmt::Debug for $name $(<$($parameter),*>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name))
                    $(.field(stringify!($method), &self.$method()))*
                    .finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use {debug, length};

//! The errors of exports and imports.

use super::log::ReadError;

/// The reason that an export or an import failed.
pub(super) enum TransferError {
    /// The database failed.
    Sqlite(rusqlite::Error),
    /// The file cannot be read or written.
    Io(std::io::Error),
    /// A line of the file is malformed. The number is the line's.
    Content(usize, String),
    /// A row of the store is damaged.
    Damage(String),
}

impl From<rusqlite::Error> for TransferError {
    fn from(error: rusqlite::Error) -> TransferError {
        TransferError::Sqlite(error)
    }
}

impl From<std::io::Error> for TransferError {
    fn from(error: std::io::Error) -> TransferError {
        TransferError::Io(error)
    }
}

impl From<ReadError> for TransferError {
    fn from(error: ReadError) -> TransferError {
        match error {
            ReadError::Sqlite(error) => TransferError::Sqlite(error),
            ReadError::Damage(what) => TransferError::Damage(what),
        }
    }
}

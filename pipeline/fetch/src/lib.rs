//! Sources with an HTTP address: asks politely, keeps what came.

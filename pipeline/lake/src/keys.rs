//! Keys of files: paths from the root of a lake with `/`.

/// The pointer to the snapshot that is served.
pub(crate) const CURRENT: &str = "current.json";

/// Names that begin so are work in progress: no reader sees them, the next writer sweeps them.
pub(crate) const TEMPORARY: &str = ".tmp-";

/// `a/b` for `a` and `b`; where one of them is empty, the other.
pub(crate) fn join_keys(folder: &str, name: &str) -> String {
    let between = if folder.is_empty() || name.is_empty() { "" } else { "/" };
    format!("{folder}{between}{name}")
}

pub(crate) fn parent_key(key: &str) -> &str {
    key.rsplit_once('/').map_or("", |(parent, _)| parent)
}

pub(crate) fn temporary_key(key: &str) -> String {
    let name = key.rsplit_once('/').map_or(key, |(_, name)| name);
    join_keys(parent_key(key), &format!("{TEMPORARY}{name}-{}", std::process::id()))
}

/// Whether some process, perhaps gone, would use `found` as temporary name of `name`.
pub(crate) fn is_temporary_of(found: &str, name: &str) -> bool {
    let rest = found.strip_prefix(TEMPORARY).and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with('-'))
}

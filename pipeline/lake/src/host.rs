//! The machine that this runs on.

/// Characters of a name that are kept.
const LONGEST: usize = 80;

/// Name of this machine, where the system tells it as a file.
pub(crate) fn host_name() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().chars().take(LONGEST).collect()).filter(|name: &String| !name.is_empty())
}

//! Files that processes hand one another by way of an object store: each an object, below an address, of no lake.

use std::fs::File;
use std::io;
use std::path::Path;

use super::client::{Client, SCHEMES, Upload};

/// A folder in an object store.
#[derive(Debug)]
pub struct ObjectFolder(Client);

impl ObjectFolder {
    /// The folder at an address such as `s3://bucket/prefix`; `None` if it is the path of a folder of this machine.
    ///
    /// # Errors
    /// The address is none, or the environment lacks what the store needs.
    pub fn at(address: &Path) -> io::Result<Option<Self>> {
        let address =
            address.to_str().filter(|address| SCHEMES.iter().any(|scheme| address.starts_with(scheme)));
        address.map(|address| Client::new(address).map(Self)).transpose()
    }

    /// Puts every file of a folder of this machine there, over what is there under the same name.
    ///
    /// # Errors
    /// One cannot be read or put.
    pub fn upload(&self, from: &Path) -> io::Result<()> {
        let mut files = Vec::new();
        find_files(from, "", &mut files)?;
        let upload = |name: String| {
            let file = File::open(from.join(&name))?;
            let bytes = file.metadata()?.len();
            Ok((name, Upload::File(file, bytes)))
        };
        self.0.put_all(files.into_iter().map(upload).collect::<io::Result<Vec<_>>>()?)
    }

    /// Gets every file into a folder of this machine.
    ///
    /// # Errors
    /// One cannot be got or written.
    pub fn download(&self, into: &Path) -> io::Result<()> {
        for object in self.0.list("")? {
            let path = into.join(&object.name);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            self.0.download(&object.name, File::create(path)?)?;
        }
        Ok(())
    }

    /// Removes every file.
    ///
    /// # Errors
    /// One cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        self.0.list("")?.into_iter().try_for_each(|object| self.0.delete(&object.name))
    }
}

fn find_files(root: &Path, folder: &str, into: &mut Vec<String>) -> io::Result<()> {
    for entry in std::fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().ok_or_else(|| io::Error::other("a name is no text"))?;
        let name = crate::keys::join_keys(folder, name);
        match entry.file_type()?.is_dir() {
            true => find_files(root, &name, into)?,
            false => into.push(name),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got_and_goes() {
        let folder = tempfile::tempdir().unwrap();
        let [store, from, to] = ["store", "from", "to"].map(|name| folder.path().join(name));
        std::fs::create_dir_all(from.join("a/b")).unwrap();
        for name in ["x", "a/b/y"] {
            std::fs::write(from.join(name), name).unwrap();
        }
        assert!(ObjectFolder::at(&from).unwrap().is_none());
        let there = || ObjectFolder::at(Path::new(&format!("file://{}", store.display()))).unwrap().unwrap();
        there().upload(&from).unwrap();
        there().upload(&from).unwrap();
        there().download(&to).unwrap();
        for name in ["x", "a/b/y"] {
            assert_eq!(std::fs::read_to_string(to.join(name)).unwrap(), name);
        }
        there().remove().unwrap();
        std::fs::remove_dir_all(&to).unwrap();
        there().download(&to).unwrap();
        assert!(!to.exists());
    }
}

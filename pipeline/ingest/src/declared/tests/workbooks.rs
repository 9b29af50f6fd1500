//! Workbooks: what is read from their header on, and what grows too far or is damaged.

use super::*;

/// An archive of files that are not compressed, as a workbook is one.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let mut crc = flate2::Crc::new();
        crc.update(content.as_bytes());
        let [size, name_size] = [content.len(), name.len()].map(|n| u32::try_from(n).unwrap());
        let at = u32::try_from(bytes.len()).unwrap();
        let mut head = [20_u16, 0, 0, 0, 33].map(u16::to_le_bytes).concat();
        head.extend([crc.sum(), size, size].map(u32::to_le_bytes).concat());
        head.extend([u16::try_from(name_size).unwrap(), 0].map(u16::to_le_bytes).concat());
        bytes.extend(
            [b"PK\x03\x04".as_slice(), head.as_slice(), name.as_bytes(), content.as_bytes()].concat(),
        );
        directory.extend(
            [b"PK\x01\x02\x14\0".as_slice(), head.as_slice(), &[0; 10], &at.to_le_bytes(), name.as_bytes()]
                .concat(),
        );
    }
    let [count, size, at] = [files.len(), directory.len(), bytes.len()].map(|n| u32::try_from(n).unwrap());
    let count = u16::try_from(count).unwrap().to_le_bytes();
    [
        bytes.as_slice(),
        &directory,
        b"PK\x05\x06\0\0\0\0".as_slice(),
        &count,
        &count,
        &size.to_le_bytes(),
        &at.to_le_bytes(),
        &[0, 0],
    ]
    .concat()
}

#[test]
fn a_workbook_that_grows_too_far_is_refused_whatever_it_says_of_its_members() {
    use std::io::Write as _;

    let contract = format!("name = 'deeds.xlsx'\nformat = 'xlsx'\n{TITLED}");
    let rows = format!("{}{}", sheet_row(1, &["ID", "SALE PRICE", "SALE DATE"]), " ".repeat(100 << 20));
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in parts(&rows) {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    let honest = writer.finish().unwrap().into_inner();
    // It says that its sheet has one byte.
    let mut lying = honest.clone();
    let size = parts(&rows).iter().map(|(_, content)| content.len()).max().unwrap();
    let size = u32::try_from(size).unwrap().to_le_bytes();
    for at in 0..lying.len() - 4 {
        if lying[at..at + 4] == size {
            lying[at..at + 4].copy_from_slice(&1_u32.to_le_bytes());
        }
    }
    assert_ne!(honest, lying);
    for (bytes, why) in [(&honest, "grows beyond"), (&lying, "larger than its declared uncompressed size")] {
        let refused = read(&contract, "deeds.xlsx", bytes);
        assert!(refused.findings[0].reason.contains(why), "{}", refused.findings[0].reason);
    }
}

/// A workbook of one sheet with these rows.
fn workbook(rows: &str) -> Vec<u8> {
    let parts = parts(rows);
    archive(&parts.each_ref().map(|(name, content)| (*name, content.as_str())))
}

/// Its members.
fn parts(rows: &str) -> [(&'static str, String); 5] {
    const MAIN: &str = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";
    const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"";
    [
        (
            "_rels/.rels",
            format!(
                "<Relationships {PACKAGE}><Relationship Id=\"r1\" Type=\"{RELATIONS}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml",
            format!(
                "<workbook {MAIN} xmlns:r=\"{RELATIONS}\"><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships {PACKAGE}><Relationship Id=\"r1\" Type=\"{RELATIONS}/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/styles.xml",
            format!(
                "<styleSheet {MAIN}><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"
            ),
        ),
        ("xl/worksheets/sheet1.xml", format!("<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>")),
    ]
}

fn sheet_row(number: u32, cells: &[&str]) -> String {
    let cell = |(column, text): (char, &&str)| match text.parse::<f64>() {
        Ok(_) => format!("<c r=\"{column}{number}\" s=\"{}\"><v>{text}</v></c>", u8::from(column == 'C')),
        Err(_) if text.is_empty() => String::new(),
        Err(_) => format!("<c r=\"{column}{number}\" t=\"inlineStr\"><is><t>{text}</t></is></c>"),
    };
    let cells: String = ('A'..).zip(cells).map(cell).collect();
    format!("<row r=\"{number}\">{cells}</row>")
}

#[test]
fn a_workbook_is_read_from_its_header_on_and_damage_is_told() {
    let contract = format!("name = 'deeds.xlsx'\nformat = 'xlsx'\n{TITLED}");
    let rows = [
        sheet_row(1, &["All deeds"]),
        sheet_row(3, &["ID\n", "SALE\nPRICE", "SALE DATE"]),
        sheet_row(5, &["a", "1185000", "43178"]),
        sheet_row(6, &["b", "x", "43178"]),
        sheet_row(7, &["c", "0", "43178", "more"]),
    ]
    .concat();
    let file = workbook(&rows);
    expect![[r#"
        rows: line=5 id=a price=1185000 day=2018-03-19
        quarantine unreadable_value deeds.xlsx:6: `SALE PRICE` is `x`
        quarantine field_count deeds.xlsx:7: 4 fields where the header has 3
        deeds.xlsx: 3 in, 1 out, 2 set aside
    "#]]
    .assert_eq(&text(&read(&contract, "deeds.xlsx", &file)));
    let far = workbook(&(rows + &sheet_row(1_048_576, &["z"]).replace("A1048576", "XFD1048576")));
    assert!(
        text(&read(&contract, "deeds.xlsx", &far)).contains("more than 256"),
        "a cell far away costs no memory"
    );
    for at in (0..file.len()).step_by(7) {
        let mut broken = file.clone();
        broken[at] ^= 0x15;
        check_nothing_is_lost(&read(&contract, "deeds.xlsx", &broken));
        check_nothing_is_lost(&read(&contract, "deeds.xlsx", &file[..at]));
    }
}

//! Files of leads: what an export has, an import takes back, and a line makes one lead however often it comes.

use std::collections::BTreeSet;

use fdna_leads::lead::StoredLead;
use fdna_leads::lead_csv::{CsvError, LeadCsvReader, header_line, lead_line};
use fdna_leads::store::erasure::Contact;
use fdna_leads::store::events::{Action, EventQuery};
use fdna_leads::store::imports::{ImportOutcome, ImportRecord, ImportRules};
use fdna_leads::store::{Author, LeadStore};

use uuid::Uuid;

use crate::common::{at, rules, runtime};
use crate::postgres_server::Server;

fn by(account: &str) -> Author {
    Author::by_operator("import", at("2026-11-24T10:00:00Z")).for_account(account)
}

/// Records of a file, which has no other lines.
fn records(file: &str) -> Vec<ImportRecord> {
    let mut reader = LeadCsvReader::open(file.as_bytes(), rules()).unwrap();
    let mut records = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        records.push(record.read.unwrap());
    }
    records
}

async fn all(store: &LeadStore, account: &str) -> Vec<StoredLead> {
    let mut own = Vec::new();
    let accounts = store.accounts_between(Uuid::nil(), Uuid::max()).await.unwrap();
    for lead in store.export_leads(None, 1000).await.unwrap() {
        if accounts[&lead.lead.id].as_deref() == Some(account) {
            own.push(lead);
        }
    }
    own.sort_by_key(|lead| lead.lead.created_at);
    own
}

#[test]
fn lines_make_leads_once_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(lines_make_leads_once(folder.path().join("leads.db").to_str().unwrap()));
}

#[test]
fn lines_make_leads_once_in_postgres() {
    let Some(server) = Server::start() else { return };
    runtime().block_on(lines_make_leads_once(&server.address()));
}

async fn lines_make_leads_once(address: &str) {
    const FILE: &str = "\u{feff}name,email,phone,status,source,metadata.utm,metadata.empty\r\n\
        Ann Dee,ann@example.com,,,web,'=1+1,'\r\n\
        \"O'Hara, Bob\",,'+442079460958,won,,,\r\n\
        Ann Again,ANN@example.com,415-555-2671,contacted,,a b,\r\n";
    let store = LeadStore::open_store(address).await.unwrap();
    let import = async |file: &str, rules: &ImportRules, account: &str| {
        store.import_leads(records(file), rules.clone(), by(account)).await.unwrap()
    };
    let batch = ImportRules { batch: Some("b".to_owned()), ..ImportRules::default() };
    let trial = ImportRules { is_trial: true, ..batch.clone() };
    assert!(matches!(import(FILE, &trial, "crm").await[2], ImportOutcome::Made(_, ref of) if of.len() == 1));
    assert!(all(&store, "crm").await.is_empty());
    let made = import(FILE, &batch, "crm").await;
    let ids: Vec<_> = made
        .iter()
        .map(|outcome| match outcome {
            ImportOutcome::Made(id, _) => *id,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(made[2], ImportOutcome::Made(ids[2], vec![ids[0]]));
    let leads = all(&store, "crm").await;
    assert_eq!(leads.iter().map(|lead| lead.lead.id).collect::<Vec<_>>(), ids);
    assert_eq!((leads[0].metadata["utm"].as_str(), leads[0].metadata["empty"].as_str()), ("=1+1", ""));
    assert_eq!(
        (leads[1].lead.phone.as_deref(), leads[1].lead.status.as_str()),
        (Some("+442079460958"), "won")
    );
    assert_eq!(store.status_moves(ids[1]).await.unwrap()[0].to, "won");
    assert_eq!(leads[2].metadata.len(), 1);

    // The same again, and with a line that was another.
    let known: Vec<ImportOutcome> = ids.iter().map(|id| ImportOutcome::Known(*id)).collect();
    assert_eq!(import(FILE, &batch, "crm").await, known);
    let other = FILE.replace("Ann Dee", "Ann Doe");
    assert_eq!(import(&other, &batch, "crm").await[..2], [ImportOutcome::Other, known[1].clone()]);
    let contact = Contact::Phone("+442079460958".to_owned());
    assert_eq!(store.erase_contact(&contact, Author::by_operator("erase", by("crm").at)).await.unwrap(), 1);
    assert_eq!(import(FILE, &batch, "crm").await[1], ImportOutcome::Erased);
    assert_eq!(all(&store, "crm").await.len(), 2);
    let skipping = ImportRules { skips_duplicates: true, ..ImportRules::default() };
    let skipped = import(FILE, &skipping, "crm").await;
    assert_eq!(skipped[0], ImportOutcome::Skipped(vec![ids[0], ids[2]]));
    assert!(matches!(skipped[1], ImportOutcome::Made(..)));

    // What is exported comes back the same.
    let keys: BTreeSet<String> = ["utm", "empty"].map(str::to_owned).into();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header_line(&keys)).unwrap();
    for lead in all(&store, "crm").await {
        let line = lead_line(&lead, Some("crm"), &keys).unwrap();
        assert!(line.iter().all(|cell| !cell.starts_with(['=', '+', '-', '@', '\t', '\r'])), "{line:?}");
        writer.write_record(line).unwrap();
        assert!(lead_line(&lead, None, &BTreeSet::new()).is_none() || lead.metadata.is_empty());
    }
    let file = String::from_utf8(writer.into_inner().unwrap()).unwrap();
    import(&file, &ImportRules::default(), "copy").await;
    let seen = |leads: Vec<StoredLead>| -> Vec<_> {
        let of = |StoredLead { lead, metadata, .. }: StoredLead| {
            (lead.name, lead.email, lead.phone, lead.status, lead.source, metadata)
        };
        leads.into_iter().map(of).collect()
    };
    assert_eq!(seen(all(&store, "copy").await), seen(all(&store, "crm").await));
    let query = EventQuery { account: Some("copy".to_owned()), limit: 100, ..EventQuery::default() };
    let events = store.list_events(&query).await.unwrap();
    assert_eq!(events.len(), 3);
    assert!(
        events
            .iter()
            .all(|event| event.action == Action::Created && event.command.as_deref() == Some("import"))
    );
    assert_eq!(LeadStore::verify_store(address, by("crm").at).await.unwrap(), [""; 0]);
    store.close().await;
}

#[test]
fn a_line_that_is_no_lead_is_told_by_its_field_without_a_value() {
    let file = "name,email,phone,metadata.a\nA,,,\nB,hidden,,\nC,c@example.com,hidden\n,d@example.com,,\nE,e@example.com,,\u{1}hidden\nF,f@example.com,,x\n";
    let mut file = file.as_bytes().to_vec();
    file.extend(b"G\xff,g@example.com,,\n");
    let mut reader = LeadCsvReader::open(file.as_slice(), rules()).unwrap();
    let mut told = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        told.push((record.line, record.read.err()));
    }
    let wanted = [
        (2, Some("`email` is required where there is no `phone`")),
        (3, Some("`email` must be an email address")),
        (4, Some("it has 3 cells, and the header 4")),
        (5, Some("`name` is required")),
        (6, Some("`metadata` must not have control characters")),
        (7, None),
        (8, Some("`name` is not in UTF-8")),
    ];
    assert_eq!(told, wanted.map(|(line, reason)| (line, reason.map(str::to_owned))));
    let refused = |header: &str| LeadCsvReader::open(header.as_bytes(), rules()).err().unwrap();
    assert!(matches!(refused("name,mail\n"), CsvError::UnknownColumn(2)));
    assert!(matches!(refused("name,email,name\n"), CsvError::RepeatedColumn(_)));
    assert!(matches!(refused("email\n"), CsvError::NoName));
    assert!(matches!(refused(""), CsvError::NoName));
}

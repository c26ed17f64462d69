import { createTable, type SchemaDialect } from '../schema/create.ts'
import { catalogTables, sealedTables, tables } from '../schema/index.ts'

const dialect: SchemaDialect = {
  database: 'sqlite',
  types: { integer: 'integer', real: 'real', text: 'text', blob: 'blob' },
  numbered: { again: 'primary key', once: 'primary key autoincrement' },
  tableOptions: ({ constraints }) => (constraints.isWithoutRowId ? ' without rowid' : ''),
}

/** SQL of a new store, including its search and triggers. */
export const schemaStatements = () => [
  ...tables.flatMap((table) => createTable(table, dialect)),
  ...search,
  ...owners,
  ...sealedTables.flatMap(({ name }) => refuseRetiredKey(name)),
  ...summaries,
  ...revisions(),
]

const searched = 'name, slug, description, category, repo_url'
const toValues = (row: 'new' | 'old') => `${row}.id, ${searched.replace(/\w+/g, `${row}.$&`)}`
const forget = `insert into project_search (project_search, rowid, ${searched}) values ('delete', ${toValues('old')})`
const learn = `insert into project_search (rowid, ${searched}) values (${toValues('new')})`

const search = [
  `create virtual table project_search using fts5 (
    ${searched}, content = 'project', content_rowid = 'id', tokenize = 'trigram'
  )`,
  trigger('project_search_insert', 'after insert on project', learn),
  trigger('project_search_delete', 'after delete on project', forget),
  trigger('project_search_update', `after update of ${searched} on project`, `${forget}; ${learn}`),
]

const owners = [
  trigger('user_owner', 'after insert on user when new.team_id is null', 'insert into owner (user_id) values (new.id)'),
  trigger('team_owner', 'after insert on team', 'insert into owner (team_id) values (new.id)'),
]

/**
 * Rejects writes sealed with a retired key. Otherwise a process that has not loaded the new key could still seal data with
 * one that is about to be deleted as unused.
 */
function refuseRetiredKey(table: string) {
  const isActive = `exists (select 1 from data_key where id = new.key_id and purpose = 'seal' and retired_at is null)`
  const refuse = `select raise(abort, 'retired data key')`
  return [
    trigger(`${table}_key`, `before insert on ${table} when not ${isActive}`, refuse),
    trigger(`${table}_new_key`, `before update of key_id on ${table} when not ${isActive}`, refuse),
  ]
}

const endSummary = (row: 'new' | 'old') => `delete from cluster_summary where cluster_id = ${row}.cluster_id`

/** Columns of a run that decide whether it is the latest, and what it has. */
export const ofSummary = 'cluster_id, at, is_candidate'

/** Any change in a cluster's runs can change what is new in the latest one. */
const summaries = [
  trigger('cluster_summary_insert', 'after insert on run', endSummary('new')),
  trigger('cluster_summary_update', `after update of ${ofSummary} on run`, endSummary('new')),
  trigger('cluster_summary_end', 'after update of ended_at on series', endSummary('new')),
  trigger('cluster_summary_move', 'after update of cluster_id on run', endSummary('old')),
  trigger('cluster_summary_delete', 'after delete on run', endSummary('old')),
]

/** Changes of the catalog delete its revision; updating when a source last answered counts only if the day changes. */
function revisions() {
  const isOtherDay = `date(old.answered_at, 'unixepoch') is not date(new.answered_at, 'unixepoch')`
  const isOfCatalog = `new.key like 'catalog\\_%' escape '\\'`
  return [
    ...catalogTables.flatMap(({ name }) =>
      ['insert', 'update', 'delete'].map((event) => endRevision(`${name}_${event}`, `${event} on "${name}"`)),
    ),
    endRevision('state_fact_insert', 'insert on state_fact'),
    endRevision('state_fact_update', 'update of facts on state_fact'),
    endRevision('state_fact_delete', 'delete on state_fact'),
    endRevision('source_insert', 'insert on source', 'new.answered_at is not null'),
    endRevision('source_update', 'update on source', `(${isOtherDay} or old.kind <> new.kind)`),
    endRevision('source_delete', 'delete on source', 'old.answered_at is not null'),
    endRevision('meta_insert', 'insert on meta', isOfCatalog),
    endRevision('meta_update', 'update on meta', isOfCatalog),
  ]
}

function endRevision(name: string, event: string, condition = 'true') {
  const when = `when exists (select 1 from catalog_revision) and ${condition}`
  return trigger(`catalog_revision_${name}`, `after ${event} ${when}`, 'delete from catalog_revision')
}

function trigger(name: string, event: string, statements: string) {
  return `create trigger ${name} ${event} begin ${statements}; end`
}

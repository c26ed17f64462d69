/** The migration 27 of SQLite. */
export const statements = `
alter table "user" add column cluster_mails bigint not null default 1;
`

/** A server on SQLite counts in its memory. */
export async function up(): Promise<void> {}

/** Limits that several servers share. They do not outlive a crash of the database. */
export const postgres = `
create unlogged table token_bucket (
  name text collate "C" primary key,
  tokens double precision not null,
  taken bigint not null,
  at bigint not null
);
create index token_bucket_by_time on token_bucket (at);
`

/** SQLite has one writer: nothing is sealed while the data keys change. */
export async function up(): Promise<void> {}

/** A change of the data keys takes this lock alone, so a key is retired after everything sealed with it is stored. */
export const postgres = `
create or replace function refuse_retired_key() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('store keys', 0));
  if not exists (select 1 from data_key where id = new.key_id and purpose = 'seal' and retired_at is null) then
    raise exception 'retired data key';
  end if;
  return new;
end $$;
`

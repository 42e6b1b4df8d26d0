import type { Kysely } from 'kysely'
import { isPostgres } from '../../kernel/store/database.ts'

/** SQL for a trigger before a message, `old`, is deleted: its facts go with it, and what a person wrote stays without a source. */
export function forgetSource(db: Kysely<unknown>): string {
  const newest = 'from memory_version v where v.memory_id = memory.id order by v.revision desc limit 1'
  const restored = isPostgres(db) ? "source::json ->> 'message_id'" : "json_extract(source, '$.message_id')"
  return `delete from memory_version where message_id = old.id and not edited;
    update memory_version set message_id = null, source = 'null' where message_id = old.id;
    update memory set message_id = null, source = 'null' where message_id = old.id and edited;
    delete from memory where message_id = old.id
    and not exists (select 1 from memory_version v where v.memory_id = memory.id);
    update memory set revision = revision + 1,
    (content, source, edited, updated_at) = (select v.content, v.source, v.edited, v.created_at ${newest})
    where message_id = old.id;
    delete from memory_version where memory_id in (select id from memory where message_id = old.id)
    and revision = (select max(v.revision) from memory_version v where v.memory_id = memory_version.memory_id);
    update memory set message_id = ${restored} where message_id = old.id;`
}

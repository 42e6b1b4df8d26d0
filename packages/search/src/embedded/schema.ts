import type BetterSqlite from 'better-sqlite3'

/**
 * The tables of all indexes. The tables that are read to load an index (search_chunk, search_vector) do not hold the text, which
 * only results need.
 */
const tables = `
  create table if not exists search_index (
    id integer primary key,
    workspace text, key text, -- null once dropped, until its chunks are deleted
    analysis integer not null, -- the version of the rules that produced its terms
    model text, dimensions integer, -- of the embedding model
    unique (workspace, key)
  ) strict;
  create table if not exists search_chunk (
    id integer primary key,
    index_id integer not null references search_index (id),
    chunk_id text not null, document_id text not null,
    source text not null, page integer, metadata text not null,
    language integer not null, length integer not null, terms blob not null,
    vector blob not null, -- by the static model
    unique (index_id, chunk_id)
  ) strict;
  create index if not exists search_chunk_in_order on search_chunk (index_id);
  create index if not exists search_chunk_document on search_chunk (index_id, document_id);
  create table if not exists search_text (
    chunk integer primary key references search_chunk (id) on delete cascade,
    headings text not null, text text not null,
    start integer, end integer, -- in the text of the document
    hash blob not null -- of the text to embed
  ) strict;
  create index if not exists search_text_hash on search_text (hash);
  create table if not exists search_vector ( -- by the embedding model
    chunk integer primary key references search_chunk (id) on delete cascade,
    vector blob not null
  ) strict;
  create table if not exists search_pending ( -- chunks without a vector by the embedding model
    index_id integer not null,
    chunk integer not null references search_chunk (id) on delete cascade,
    primary key (index_id, chunk)
  ) strict, without rowid;
  create index if not exists search_pending_chunk on search_pending (chunk);
`

export function migrate(db: BetterSqlite.Database): void {
  db.transaction(() => db.exec(tables))()
}

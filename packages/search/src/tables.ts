/**
 * The tables of all indexes, in a file of their own, used by one connection in the search thread.
 * What loading an index reads (search_chunk, search_fine) lies apart from the text that only results need.
 */
export const tables = `
  create table if not exists search_index (
    id integer primary key,
    workspace text, key text, -- null once dropped, until its chunks are gone too
    analysis integer not null,
    fine_model text, fine_dimensions integer,
    unique (workspace, key)
  ) strict;
  create table if not exists search_chunk (
    id integer primary key,
    index_id integer not null references search_index (id),
    chunk_id text not null, document_id text not null,
    source text not null, page integer, metadata text not null,
    language integer not null, length integer not null, terms blob not null, vector blob not null,
    unique (index_id, chunk_id)
  ) strict;
  create index if not exists search_chunk_in_order on search_chunk (index_id);
  create index if not exists search_chunk_document on search_chunk (index_id, document_id);
  create table if not exists search_text (
    chunk integer primary key references search_chunk (id) on delete cascade,
    headings text not null, text text not null,
    start integer, end integer, -- in the text of the document
    hash blob not null -- of what is embedded
  ) strict;
  create index if not exists search_text_hash on search_text (hash);
  create table if not exists search_fine (
    chunk integer primary key references search_chunk (id) on delete cascade,
    vector blob not null
  ) strict;
  -- The chunks that still wait for a fine vector.
  create table if not exists search_unrefined (
    index_id integer not null,
    chunk integer not null references search_chunk (id) on delete cascade,
    primary key (index_id, chunk)
  ) strict, without rowid;
  create index if not exists search_unrefined_chunk on search_unrefined (chunk);
`

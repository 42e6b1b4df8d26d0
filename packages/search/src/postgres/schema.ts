import { staticModel } from '@parley/embedding'
import type { Pool } from 'pg'
import { rows, transaction } from './database.ts'
import { sparseDimensions } from './terms.ts'

/**
 * Ids of passages are never used twice: a passage that replaces another is a new row, so that the rows of a passage in
 * the other tables never change.
 */
const tables = `
  create table if not exists passage_index (
    id bigint generated always as identity primary key,
    workspace text,
    key text,
    analysis integer not null,
    model text,
    dimensions integer,
    documents bigint not null default 0,
    passages bigint not null default 0,
    embedded bigint not null default 0,
    total_length bigint not null default 0,
    last_language integer not null,
    language_counts bigint[] not null default '{}',
    unique (workspace, key)
  );
  create table if not exists passage (
    id bigint generated always as identity primary key,
    index_id bigint not null references passage_index,
    chunk_id text not null,
    document_id text not null,
    start integer,
    language smallint not null,
    length integer not null,
    hash bytea not null,
    fields jsonb not null,
    body text not null,
    unique (index_id, chunk_id) deferrable initially deferred
  );
  create index if not exists passage_document on passage (index_id, document_id);
  create index if not exists passage_hash on passage (hash);
  create index if not exists passage_fields on passage using gin (fields jsonb_path_ops);
  create table if not exists passage_words (
    passage_id bigint not null references passage on delete cascade,
    part smallint not null,
    index_id bigint not null,
    keys integer[] not null,
    weights sparsevec(${sparseDimensions}) not null,
    primary key (passage_id, part)
  ) with (toast_tuple_target = 8160); -- a search reads thousands of rows: they must not be out of line
  create index if not exists passage_keys on passage_words using gin (keys) with (gin_pending_list_limit = 512);
  create table if not exists passage_key (
    index_id bigint not null references passage_index on delete cascade,
    key integer not null,
    frequency integer not null,
    primary key (index_id, key)
  ) with (fillfactor = 70); -- room to change frequencies in place
  create table if not exists passage_static (
    passage_id bigint primary key references passage on delete cascade,
    vector halfvec(${staticModel.dimensions}) not null
  );
  create table if not exists passage_vector (
    passage_id bigint primary key references passage on delete cascade,
    index_id bigint not null,
    dimensions integer not null,
    vector halfvec not null
  );
  create table if not exists passage_pending (
    index_id bigint not null,
    passage_id bigint not null references passage on delete cascade,
    primary key (index_id, passage_id)
  );
  create index if not exists passage_pending_passage on passage_pending (passage_id);
`

const minVersion = [0, 8]

/** The reason why the database cannot hold a search index, with advice. */
export class SearchUnavailable extends Error {}

/** Creates the extension and the tables. */
export async function migrate(pool: Pool): Promise<void> {
  await createExtension(pool)
  await transaction(pool, 'write', async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('parley search schema'))`)
    await tx.query(tables)
  })
}

async function createExtension(pool: Pool): Promise<void> {
  const [extension] = await rows<{ available: string | null; installed: string | null }>(
    pool,
    `select default_version as available, installed_version as installed
     from pg_available_extensions where name = 'vector'`,
  )
  if (!extension) {
    throw new SearchUnavailable(
      'Knowledge needs the extension pgvector 0.8 or newer on the Postgres server: install it (Debian: postgresql-<version>-pgvector) and start again.',
    )
  }
  if (extension.installed === null) {
    await pool.query('create extension if not exists vector').catch((error: Error & { code?: string }) => {
      if (error.code === '23505' || error.code === '42710') return // another node was quicker
      throw new SearchUnavailable(
        `Knowledge needs the extension pgvector, which this database user may not create (${error.message}). Ask an administrator to run: create extension vector;`,
      )
    })
  }
  const version = extension.installed ?? extension.available ?? ''
  if (!isAtLeast(version, minVersion)) {
    throw new SearchUnavailable(
      `Knowledge needs pgvector 0.8 or newer; this database has ${version}. Install it and run: alter extension vector update;`,
    )
  }
}

function isAtLeast(version: string, min: number[]): boolean {
  const parts = version.split('.').map(Number)
  for (const [at, wanted] of min.entries()) {
    const part = parts[at] ?? 0
    if (part !== wanted) return part > wanted
  }
  return true
}

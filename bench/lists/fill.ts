import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import pg from 'pg'

const days = 90
const words = 2000
/** Of one conversation in twenty. */
export const commonWord = 'invoice'
/** Of twenty conversations in all. */
export const rareWord = 'zeppelin'

/** SQL that differs between the engines. */
interface Dialect {
  /** Rows `i` from 0 to `count` - 1. */
  series(count: number): string
  timestamp(seconds: string): string
}

const sqlite: Dialect = {
  series: (count) =>
    `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n`,
  timestamp: (seconds) => `strftime('%Y-%m-%dT%H:%M:%SZ', ${seconds}, 'unixepoch')`,
}

const postgres: Dialect = {
  series: (count) => `select i::bigint from generate_series(0, ${count - 1}) as n (i)`,
  timestamp: (seconds) => `to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
}

export interface Filling {
  folder: string
  databaseUrl: string | undefined
  agents: string[]
  rows: number
}

/** As many conversations and messages as `rows`, over 90 days, in a few statements. Triggers do their part. */
export async function fill({ folder, databaseUrl, agents, rows }: Filling): Promise<void> {
  if (databaseUrl) await fillPostgres(databaseUrl, agents, rows)
  else fillSqlite(join(folder, 'parley.db'), agents, rows)
}

function fillSqlite(file: string, agents: string[], rows: number): void {
  const db = new BetterSqlite(file)
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -262144')
  const workspace = db.prepare('select id from workspace').pluck().get() as string
  db.transaction(() => {
    for (const statement of statements(sqlite, workspace, agents, rows)) db.exec(statement)
  })()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

async function fillPostgres(url: string, agents: string[], rows: number): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const workspace = (await client.query('select id from workspace')).rows[0].id as string
    for (const statement of statements(postgres, workspace, agents, rows)) await client.query(statement)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

const padded = (prefix: string, number: string) => `'${prefix}_' || substr('000000000000' || ${number}, -12)`

function statements(dialect: Dialect, workspace: string, agents: string[], rows: number): string[] {
  const now = Math.floor(Date.now() / 1000)
  const start = now - days * 86_400
  const started = `(${start} + i * ${days * 86_400} / ${rows})`
  const id = (prefix: string, number: string) =>
    dialect === sqlite ? padded(prefix, number) : `'${prefix}_' || lpad((${number})::text, 12, '0')`
  const agent = `(select id from bench_agent where n = case when i % 10 < 4 then 0 else i * 13 % ${agents.length} end)`
  const word = (factor: number) => `(select word from bench_word where n = i * ${factor} % ${words})`
  const user = `'user-' || (i * 31 % 10000)`
  const common = {
    workspace_id: `'${workspace}'`,
    conversation_id: id('cnv', 'i'),
    timestamp: dialect.timestamp(started),
    usage: "'null'",
    tool_calls: "'[]'",
    citations: "'[]'",
    feedback: "'null'",
    events: "'[]'",
    superseded: 'false',
    cancel_requested: 'false',
    alive_at: '0',
    status: "'completed'",
    agent_id: agent,
    user_id: user,
    content: "'What is this about?'",
  }
  const insert = (table: string, cells: Record<string, string>, where = 'true') =>
    `insert into ${table} (${Object.keys(cells)}) select ${Object.values(cells)} from (${dialect.series(rows)}) as n where ${where}`
  const values = (each: string[]) => each.map((text, n) => `(${n}, '${text}')`).join(', ')
  return [
    'create table bench_word (n integer primary key, word text not null)',
    `insert into bench_word values ${values(Array.from({ length: words }, (_, n) => wordOf(n)))}`,
    'create table bench_agent (n integer primary key, id text not null)',
    `insert into bench_agent values ${values(agents)}`,
    insert('conversation', {
      id: id('cnv', 'i'),
      workspace_id: `'${workspace}'`,
      agent_id: agent,
      user_id: user,
      title: `${word(7919)} || ' ' || ${word(104_729)} || ' ' || ${word(1_299_709)}
        || case when i / 20 % 20 = 3 then ' ${commonWord}' else '' end
        || case when i % ${rows / 20} = 7 then ' ${rareWord}' else '' end`,
      status: "case when i % 10 = 0 then 'active' else 'completed' end",
      metadata: "'{}'",
      active_at: `${now * 1000}`,
      revision: '1',
      created_at: dialect.timestamp(started),
      updated_at: dialect.timestamp(`${started} + (${now} - ${started}) * (i * 37 % 100) / 200`),
    }),
    insert('message', { id: id('msg', 'i * 2'), ...common, role: "'user'", topic: "'billing'" }, 'i % 2 = 0'),
    insert(
      'message',
      {
        id: id('msg', 'i * 2 + 1'),
        ...common,
        role: "'assistant'",
        latency_ms: '300 + i * 17 % 9000',
        time_to_first_token_ms: '100 + i * 13 % 900',
        input_tokens: '200 + i * 7 % 4000',
        output_tokens: '20 + i * 3 % 800',
        cost_nano: 'i % 9000000',
      },
      'i % 2 = 0',
    ),
    'drop table bench_word',
    'drop table bench_agent',
  ]
}

/** Pronounceable, and none contains another. */
function wordOf(n: number): string {
  const syllables = ['ba', 'ke', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi']
  const syllable = (at: number) => syllables[Math.floor(n / syllables.length ** at) % syllables.length] as string
  return `x${syllable(0)}${syllable(1)}${syllable(2)}z`
}

import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import pg from 'pg'
import { startParley } from '../processes.ts'

const year = 365 * 24 * 3600 * 1000
const people = 10_000
const agents = 20

export interface Amounts {
  calls: number
  messages: number
}

type Row = Record<string, string | number | null>
type Rows = Generator<[table: string, row: Row]>

/** Fills the database of a service that does not run with a year of rows, unless it has some. Triggers do their part. */
export async function fill(environment: Record<string, string>, amounts: Amounts): Promise<void> {
  await (await startParley(environment)).stop() // runs the migrations
  const { DATA_DIR = '', DATABASE_URL } = environment
  const started = performance.now()
  const isFilled = DATABASE_URL ? await fillPostgres(DATABASE_URL, amounts) : fillSqlite(DATA_DIR, amounts)
  const seconds = (performance.now() - started) / 1000
  if (isFilled) process.stdout.write(`Filled in ${seconds.toFixed(0)} s.\n`)
}

function fillSqlite(folder: string, amounts: Amounts): boolean {
  const sqlite = new BetterSqlite(join(folder, 'parley.db'))
  sqlite.pragma('synchronous = OFF')
  sqlite.pragma('cache_size = -262144')
  sqlite.pragma('foreign_keys = ON')
  const workspace = sqlite.prepare('select id from workspace').pluck().get() as string
  const isEmpty = sqlite.prepare('select 1 from usage_record limit 1').get() === undefined
  const statements = new Map<string, BetterSqlite.Statement>()
  const insert = (table: string, row: Row) => {
    const key = `${table} ${Object.keys(row)}`
    let statement = statements.get(key)
    if (!statement) {
      const marks = Object.keys(row).map(() => '?')
      statement = sqlite.prepare(`insert into ${table} (${Object.keys(row)}) values (${marks})`)
      statements.set(key, statement)
    }
    statement.run(Object.values(row))
  }
  if (isEmpty)
    sqlite.transaction(() => {
      for (const [table, row] of rowsOf(workspace, amounts)) insert(table, row)
    })()
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
  return isEmpty
}

const batchSize = 3000

async function fillPostgres(url: string, amounts: Amounts): Promise<boolean> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    if ((await client.query('select 1 from usage_record limit 1')).rowCount) return false
    const workspace = (await client.query('select id from workspace')).rows[0].id as string
    const pending = new Map<string, Row[]>()
    const flush = async () => {
      for (const [table, rows] of pending)
        await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
          JSON.stringify(rows.splice(0)),
        ])
    }
    // Referenced tables first.
    for (const table of ['usage_record', 'conversation', 'message', 'message_tool_call']) pending.set(table, [])
    for (const [table, row] of rowsOf(workspace, amounts)) {
      const rows = pending.get(table) ?? []
      if (rows.push(row) >= batchSize) await flush()
    }
    await flush()
    await client.query('vacuum analyze')
    return true
  } finally {
    await client.end()
  }
}

function* rowsOf(workspace: string, { calls, messages }: Amounts): Rows {
  yield* ledgerRows(workspace, calls)
  yield* conversationRows(workspace, messages)
}

/** The same rows in every run. */
function randomness(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const at = (share: number): string => `${new Date(Date.now() - year * (1 - share)).toISOString().slice(0, 19)}Z`
const numbered = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(12, '0')}`

/** One token and one agent have most of the traffic; a user talks to two agents, and an agent has one model. */
function participants(random: (below: number) => number) {
  const user = random(people)
  const agent = random(10) < 4 ? 0 : user % agents
  return {
    agent: `agt_${agent}`,
    user: `user-${user}`,
    model: `mdl_${agent % 5}`,
    token: `tok_${random(10) < 8 ? 0 : random(5)}`,
  }
}

function* ledgerRows(workspace_id: string, count: number): Rows {
  const random = randomness(1)
  for (let n = 0; n < count; n++) {
    const { agent, user, model, token } = participants(random)
    const created_at = at(n / count)
    const row = {
      id: numbered('use', n),
      workspace_id,
      kind: 'chat',
      model_id: model,
      agent_id: agent,
      conversation_id: numbered('cnv', Math.floor(n / 4)),
      message_id: numbered('msg', n),
      user_id: user,
      token_id: token,
      tool_id: random(20) === 0 ? `rag_${random(3)}` : null,
      evaluation_id: random(20) === 0 ? `evl_${random(3)}` : null,
      input_tokens: 200 + random(4000),
      cached_input_tokens: 0,
      output_tokens: 20 + random(800),
      reasoning_tokens: 0,
      cost_nano: random(9_000_000),
      price: '{"input":0.0005,"output":0.0015}',
      estimated: 0,
      day: created_at.slice(0, 10),
      created_at,
    }
    yield ['usage_record', row]
  }
}

const turnsEach = 3

function* conversationRows(workspace_id: string, messages: number): Rows {
  const random = randomness(2)
  const turns = messages / 2
  for (let n = 0; n < turns; n += turnsEach) {
    const id = numbered('cnv', n)
    const { agent: agent_id, user: user_id, model: model_id } = participants(random)
    const evaluation_id = random(20) === 0 ? 'evl_0' : null
    const created_at = at(n / turns)
    const conversation = {
      id,
      workspace_id,
      agent_id,
      user_id,
      status: random(10) === 0 ? 'active' : 'completed',
      metadata: '{}',
      active_at: Date.parse(created_at),
      revision: 1,
      created_at,
      updated_at: created_at,
      evaluation_id,
    }
    yield ['conversation', conversation]
    for (let turn = n; turn < Math.min(n + turnsEach, turns); turn++) {
      const common = {
        workspace_id,
        conversation_id: id,
        timestamp: at(turn / turns),
        tool_calls: '[]',
        citations: '[]',
        events: '[]',
        superseded: 0,
        cancel_requested: 0,
        alive_at: 0,
        agent_id,
        user_id,
        evaluation_id,
      }
      const topic = random(3) === 0 ? '' : `topic ${random(8)}`
      const question = {
        role: 'user',
        content: 'x'.repeat(80),
        status: 'completed',
        usage: 'null',
        feedback: 'null',
        topic,
      }
      yield ['message', { id: `${numbered('msg', turn)}a`, ...common, ...question }]
      const failed = random(50) === 0
      const reply = {
        id: `${numbered('msg', turn)}b`,
        ...common,
        role: 'assistant',
        content: 'x'.repeat(400),
        status: failed ? 'failed' : 'completed',
        usage: '{"input_tokens":1000,"output_tokens":200,"total_tokens":1200,"cost":0.0008}',
        feedback: 'null',
        rating: random(10) === 0 ? (random(3) === 0 ? 'down' : 'up') : null,
        model_id,
        latency_ms: 300 + random(100) * random(100) + random(50),
        time_to_first_token_ms: 100 + random(30) * random(30),
        input_tokens: 200 + random(4000),
        output_tokens: 20 + random(800),
        cost_nano: random(9_000_000),
      }
      yield ['message', reply]
      if (random(3) > 0) continue
      const toolCall = {
        message_id: `${numbered('msg', turn)}b`,
        position: 0,
        workspace_id,
        timestamp: common.timestamp,
        agent_id,
        user_id,
        evaluation_id,
        tool_id: `rag_${random(3)}`,
        name: 'search',
        failed: random(20) === 0 ? 1 : 0,
        latency_ms: 20 + random(300),
      }
      yield ['message_tool_call', toolCall]
    }
  }
}

import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { startParley } from '../processes.ts'

const year = 365 * 24 * 3600 * 1000
const people = 10_000
const agents = 20

/** The same rows in every run. */
function randomness(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Writes a year into the folder of a service that does not run; the database's own triggers do their part. */
export async function fillFolder(folder: string, { calls, messages }: { calls: number; messages: number }) {
  await (await startParley({ DATA_DIR: folder })).stop()
  const sqlite = new BetterSqlite(join(folder, 'parley.db'))
  sqlite.pragma('synchronous = OFF')
  sqlite.pragma('cache_size = -262144')
  sqlite.pragma('foreign_keys = ON')
  const workspace = sqlite.prepare('select id from workspace').pluck().get() as string
  const started = performance.now()
  const isEmpty = sqlite.prepare('select 1 from usage_record limit 1').get() === undefined
  if (isEmpty) {
    sqlite.transaction(() => fillLedger(sqlite, workspace, calls))()
    sqlite.transaction(() => fillConversations(sqlite, workspace, messages))()
    process.stdout.write(`Filled in ${((performance.now() - started) / 1000).toFixed(0)} s.\n`)
  }
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
}

const inserter = (sqlite: BetterSqlite.Database, table: string) => {
  const prepared = new Map<string, BetterSqlite.Statement>()
  return (row: Record<string, unknown>) => {
    const names = Object.keys(row).join()
    let statement = prepared.get(names)
    if (!statement) {
      const marks = Object.keys(row).map(() => '?')
      statement = sqlite.prepare(`insert into ${table} (${names}) values (${marks})`)
      prepared.set(names, statement)
    }
    statement.run(Object.values(row))
  }
}

const at = (share: number): string => `${new Date(Date.now() - year * (1 - share)).toISOString().slice(0, 19)}Z`
const numbered = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(12, '0')}`

/** As it is in life: one token and one agent have most of it, everybody keeps to two agents, and an agent to its model. */
function cast(random: (below: number) => number) {
  const user = random(people)
  const agent = random(10) < 4 ? 0 : user % agents
  return {
    agent: `agt_${agent}`,
    user: `user-${user}`,
    model: `mdl_${agent % 5}`,
    token: `tok_${random(10) < 8 ? 0 : random(5)}`,
  }
}

function fillLedger(sqlite: BetterSqlite.Database, workspace_id: string, count: number): void {
  const random = randomness(1)
  const insert = inserter(sqlite, 'usage_record')
  for (let n = 0; n < count; n++) {
    const { agent, user, model, token } = cast(random)
    const created_at = at(n / count)
    insert({
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
    })
  }
}

const turnsEach = 3

function fillConversations(sqlite: BetterSqlite.Database, workspace_id: string, messages: number): void {
  const random = randomness(2)
  const conversation = inserter(sqlite, 'conversation')
  const message = inserter(sqlite, 'message')
  const toolCall = inserter(sqlite, 'message_tool_call')
  const turns = messages / 2
  for (let n = 0; n < turns; n += turnsEach) {
    const id = numbered('cnv', n)
    const { agent: agent_id, user: user_id, model: model_id } = cast(random)
    const evaluation_id = random(20) === 0 ? 'evl_0' : null
    const created_at = at(n / turns)
    conversation({
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
    })
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
      const asked = {
        role: 'user',
        content: 'x'.repeat(80),
        status: 'completed',
        usage: 'null',
        feedback: 'null',
        topic,
      }
      message({ id: `${numbered('msg', turn)}a`, ...common, ...asked })
      const failed = random(50) === 0
      message({
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
      })
      if (random(3) > 0) continue
      toolCall({
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
      })
    }
  }
}

const days = 90
const daysOfCalls = 365
const words = 2000
/** Occurs in one conversation in twenty. */
export const commonWord = 'invoice'
/** Occurs in twenty conversations altogether. */
export const rareWord = 'zeppelin'
export const tables = ['conversation', 'message', 'usage_record']

/** SQL that differs between the engines. */
export interface Dialect {
  /** Rows `i` from 0 to `count` - 1. */
  series(count: number): string
  timestamp(seconds: string): string
  padded(number: string): string
}

export const sqlite: Dialect = {
  series: (count) =>
    `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1}) select i from n`,
  timestamp: (seconds) => `strftime('%Y-%m-%dT%H:%M:%SZ', ${seconds}, 'unixepoch')`,
  padded: (number) => `substr('000000000000' || ${number}, -12)`,
}

export const postgres: Dialect = {
  series: (count) => `select i::bigint from generate_series(0, ${count - 1}) as n (i)`,
  timestamp: (seconds) => `to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  padded: (number) => `lpad((${number})::text, 12, '0')`,
}

/** Conversations and messages of 90 days, and model calls of a year. */
export function statements(
  dialect: Dialect,
  workspace: string,
  { agents, rows }: { agents: string[]; rows: number },
): string[] {
  const now = Math.floor(Date.now() / 1000)
  const time = (span: number) => `(${now - span * 86_400} + i * ${span * 86_400} / ${rows})`
  const started = time(days)
  const called = time(daysOfCalls)
  const id = (prefix: string, number: string) => `'${prefix}_' || ${dialect.padded(number)}`
  // One agent and one token have most of the traffic.
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
    `insert into bench_word values ${values(Array.from({ length: words }, (_, n) => makeWord(n)))}`,
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
    insert('usage_record', {
      id: id('use', 'i'),
      workspace_id: `'${workspace}'`,
      kind: "'chat'",
      model_id: `'mdl_' || (i * 7 % 5)`,
      agent_id: agent,
      conversation_id: id('cnv', 'i'),
      message_id: id('msg', 'i'),
      user_id: user,
      token_id: `'tok_' || (case when i % 10 < 8 then 0 else i * 3 % 5 end)`,
      tool_id: `case when i % 20 = 0 then 'rag_' || (i / 20 % 3) end`,
      evaluation_id: `case when i % 20 = 7 then 'evl_' || (i / 20 % 3) end`,
      input_tokens: '200 + i * 7 % 4000',
      cached_input_tokens: '0',
      output_tokens: '20 + i * 3 % 800',
      reasoning_tokens: '0',
      cost_nano: 'i % 9000000',
      price: `'{"input":0.0005,"output":0.0015}'`,
      estimated: 'false',
      day: `substr(${dialect.timestamp(called)}, 1, 10)`,
      created_at: dialect.timestamp(called),
    }),
    'delete from message_unindexed', // full-text search of messages is not measured
    'drop table bench_word',
    'drop table bench_agent',
  ]
}

/** Pronounceable, and none contains another. */
function makeWord(n: number): string {
  const syllables = ['ba', 'ke', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi']
  const syllable = (at: number) => syllables[Math.floor(n / syllables.length ** at) % syllables.length] as string
  return `x${syllable(0)}${syllable(1)}${syllable(2)}z`
}

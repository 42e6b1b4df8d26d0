import type { Columns, Names } from '../../kernel/statistics/dataset.ts'
import { type Percentiles, percentilesOf } from './percentiles.ts'

export interface MessageFilter {
  agentId?: string
  userId?: string
  withEvaluations: boolean
}

/**
 * The columns of the message dataset that are summed. `messages` are those that the conversation shows; `replies` and
 * `errors` also count replies that were regenerated.
 */
export const totalNames = [
  'messages',
  'questions',
  'answers',
  'replies',
  'errors',
  'input',
  'output',
  'cost',
  'up',
  'down',
] as const
export type Totals = Record<(typeof totalNames)[number], number>

/** Totals of one day (2026-01-31) or one hour (2026-01-31T12). */
export type StepTotals = Totals & { at: string }
export type AgentTotals = Totals & { agent_id: string }

export interface ToolStatistics {
  tool_id: string | null
  name: string
  calls: number
  failures: number
  average_latency_ms: number | null
}

export interface TopicStatistics {
  topic: string
  conversations: number
  messages: number
}

/** Columns of a day, and the rows of them that pass the filter. */
interface Selection extends Omit<Columns, 'rows'> {
  rows: Uint32Array
}

const noRows: Columns = { rows: 0, values: {}, names: {} }
const noValues = new Float64Array()
const noNames = new Uint32Array()
const yes = 2 // values are stored plus one

export function filterFor(names: Names, { agentId, userId, withEvaluations }: MessageFilter) {
  const unknown = -1
  const agent = agentId === undefined ? null : names.numberOf('agent', agentId) || unknown
  const user = userId === undefined ? null : names.numberOf('user', userId) || unknown
  return ({ rows, values, names: of }: Columns = noRows): Selection => {
    const { agent: agents = noNames, user: users = noNames } = of
    const { evaluation = noValues } = values
    const selected = new Uint32Array(rows)
    let count = 0
    for (let row = 0; row < rows; row++) {
      if (agent !== null && agents[row] !== agent) continue
      if (user !== null && users[row] !== user) continue
      if (!withEvaluations && evaluation[row] === yes) continue
      selected[count++] = row
    }
    return { values, names: of, rows: selected.subarray(0, count) }
  }
}

const width = totalNames.length
const hoursOfDay = 24

/** Sums by day or hour, and by agent. */
export class TotalsAggregator {
  private readonly steps: StepTotals[] = []
  private readonly stepsOfDay: number
  private readonly ofDay: Float64Array
  private readonly ofAgents: Float64Array

  constructor(names: Names, byHour: boolean) {
    this.stepsOfDay = byHour ? hoursOfDay : 1
    this.ofDay = new Float64Array(this.stepsOfDay * width)
    this.ofAgents = new Float64Array(names.size('agent') * width)
  }

  add(day: string, { values, names, rows }: Selection): void {
    const { agent = noNames } = names
    const { hour = noValues } = values
    const { ofDay, ofAgents, stepsOfDay } = this
    for (const [index, name] of totalNames.entries()) {
      const column = values[name] ?? noValues
      for (let n = 0; n < rows.length; n++) {
        const row = rows[n] as number
        const value = column[row] as number
        if (value < 2) continue // null or 0
        const step = stepsOfDay === 1 ? index : ((hour[row] as number) - 1) * width + index
        const ofAgent = (agent[row] as number) * width + index
        ofDay[step] = (ofDay[step] as number) + value - 1
        ofAgents[ofAgent] = (ofAgents[ofAgent] as number) + value - 1
      }
    }
    for (let step = 0; step < stepsOfDay; step++) {
      const totals = totalsAt(ofDay, step)
      if (totals) this.steps.push({ at: stepsOfDay === 1 ? day : `${day}T${String(step).padStart(2, '0')}`, ...totals })
    }
    ofDay.fill(0)
  }

  result(names: Names): { steps: StepTotals[]; agents: AgentTotals[] } {
    const ids = names.all('agent')
    const agents: AgentTotals[] = []
    for (let number = 0; number * width < this.ofAgents.length; number++) {
      const totals = totalsAt(this.ofAgents, number)
      if (totals) agents.push({ agent_id: ids[number] ?? '', ...totals })
    }
    return { steps: this.steps, agents }
  }
}

/** Undefined if all of them are 0. */
function totalsAt(sums: Float64Array, index: number): Totals | undefined {
  const values = sums.subarray(index * width, (index + 1) * width)
  if (values.every((value) => value === 0)) return undefined
  return Object.fromEntries(totalNames.map((name, at) => [name, values[at]])) as Totals
}

/** Distinct users and conversations of the questions, and their topics. */
export class QuestionCounter {
  private readonly names: Names
  private readonly users: Uint8Array
  private readonly conversations: Uint8Array
  private readonly topics: { messages: number; conversations: Uint8Array }[] = []

  constructor(names: Names) {
    this.names = names
    this.users = new Uint8Array(names.size('user'))
    this.conversations = new Uint8Array(names.size('conversation'))
  }

  add({ values, names, rows }: Selection): void {
    const { questions = noValues } = values
    const { user = noNames, conversation = noNames, topic = noNames } = names
    for (const row of rows) {
      if (questions[row] !== yes) continue
      this.users[user[row] as number] = 1
      this.conversations[conversation[row] as number] = 1
      const number = topic[row] as number
      if (number === 0) continue
      let ofTopic = this.topics[number]
      if (!ofTopic) {
        ofTopic = { messages: 0, conversations: new Uint8Array(this.conversations.length) }
        this.topics[number] = ofTopic
      }
      ofTopic.messages++
      ofTopic.conversations[conversation[row] as number] = 1
    }
  }

  result(): { uniqueUsers: number; conversations: number; topics: TopicStatistics[] } {
    const topics: TopicStatistics[] = []
    const names = this.names.all('topic')
    for (const [number, ofTopic] of this.topics.entries()) {
      if (!ofTopic) continue
      const { messages, conversations } = ofTopic
      topics.push({ topic: names[number] ?? '', conversations: countOf(conversations), messages })
    }
    this.users[0] = 0 // questions without a user
    return {
      uniqueUsers: countOf(this.users),
      conversations: countOf(this.conversations),
      topics: topics.sort(byMessages),
    }
  }
}

const byMessages = (a: TopicStatistics, b: TopicStatistics): number =>
  b.messages - a.messages || (a.topic < b.topic ? -1 : 1)

function countOf(marks: Uint8Array): number {
  let count = 0
  for (const mark of marks) count += mark
  return count
}

/** A duration of all completed replies. */
export class DurationSample {
  private readonly column: 'latency' | 'firstToken'
  private values = new Float64Array(1024)
  private count = 0

  constructor(column: 'latency' | 'firstToken') {
    this.column = column
  }

  add({ values, rows }: Selection): void {
    const { completed = noValues, [this.column]: durations = noValues } = values
    for (const row of rows) {
      const value = durations[row] as number
      if (value === 0 || completed[row] !== yes) continue
      if (this.count === this.values.length) this.grow()
      this.values[this.count++] = value - 1
    }
  }

  private grow(): void {
    const larger = new Float64Array(this.values.length * 2)
    larger.set(this.values)
    this.values = larger
  }

  percentiles = (): Percentiles => percentilesOf(this.values.subarray(0, this.count))
}

interface ToolSums {
  tool: number
  name: number
  calls: number
  failures: number
  timed: number
  latency: number
}

export class ToolAggregator {
  private readonly sums = new Map<string, ToolSums>()

  add({ values, names, rows }: Selection): void {
    const { tool = noNames, name = noNames } = names
    const { failed = noValues, latency = noValues } = values
    for (const row of rows) {
      const sums = this.sumsOf(tool[row] as number, name[row] as number)
      sums.calls++
      sums.failures += (failed[row] as number) - 1
      const duration = latency[row] as number
      if (duration === 0) continue
      sums.timed++
      sums.latency += duration - 1
    }
  }

  private sumsOf(tool: number, name: number): ToolSums {
    const key = `${tool} ${name}`
    let sums = this.sums.get(key)
    if (!sums) {
      sums = { tool, name, calls: 0, failures: 0, timed: 0, latency: 0 }
      this.sums.set(key, sums)
    }
    return sums
  }

  result(names: Names): ToolStatistics[] {
    const tools = names.all('tool')
    const functions = names.all('function')
    return [...this.sums.values()]
      .map(({ tool, name, calls, failures, timed, latency }) => ({
        tool_id: tools[tool] ?? null,
        name: functions[name] ?? '',
        calls,
        failures,
        average_latency_ms: timed === 0 ? null : latency / timed,
      }))
      .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  }
}

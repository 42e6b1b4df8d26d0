import type { Columns, Names } from '../../kernel/figures/book.ts'
import type { MessageQuestion } from './message-book.ts'
import { type Percentiles, percentilesOf } from './percentiles.ts'

export const totalNames = [
  'shown',
  'asked',
  'answered',
  'replies',
  'errors',
  'input',
  'output',
  'cost',
  'up',
  'down',
] as const
/** The columns that come to them, in their order. */
const summedColumns = ['shown', 'asked', 'answered', 'reply', 'failed', 'input', 'output', 'cost', 'up', 'down']
export type Totals = Record<(typeof totalNames)[number], number>

/** What happened on one day (2026-01-31) or in one hour (2026-01-31T12). */
export type Moment = Totals & { at: string }
export type AgentTotals = Totals & { agent_id: string }

export interface ToolFigures {
  tool_id: string | null
  name: string
  calls: number
  failures: number
  average_latency_ms: number | null
}

export interface TopicFigures {
  topic: string
  conversations: number
  messages: number
}

/** Rows of a day, and which of them are meant. */
interface Meant extends Omit<Columns, 'rows'> {
  rows: Uint32Array
}

const noRows: Columns = { rows: 0, values: {}, names: {} }
const noColumn = new Float64Array()
const noNames = new Uint32Array()
const yes = 2 // a flag of 1, stored with one added

export function filterFor(names: Names, { agentId, userId, withEvaluations }: MessageQuestion) {
  const nobody = -1
  const agent = agentId === undefined ? null : names.numberOf('agent', agentId) || nobody
  const user = userId === undefined ? null : names.numberOf('user', userId) || nobody
  return ({ rows, values, names: of }: Columns = noRows): Meant => {
    const { agent: agents = noNames, user: users = noNames } = of
    const { evaluation = noColumn } = values
    const meant = new Uint32Array(rows)
    let count = 0
    for (let row = 0; row < rows; row++) {
      if (agent !== null && agents[row] !== agent) continue
      if (user !== null && users[row] !== user) continue
      if (!withEvaluations && evaluation[row] === yes) continue
      meant[count++] = row
    }
    return { values, names: of, rows: meant.subarray(0, count) }
  }
}

const width = totalNames.length
const hoursOfDay = 24

/** All that can be added up: by moment, and by agent. */
export class Steps {
  private readonly moments: Moment[] = []
  private readonly hours: number
  private readonly ofDay: Float64Array
  private readonly ofAgents: Float64Array

  constructor(names: Names, byHour: boolean) {
    this.hours = byHour ? hoursOfDay : 1
    this.ofDay = new Float64Array(this.hours * width)
    this.ofAgents = new Float64Array(names.size('agent') * width)
  }

  add(day: string, { values, names, rows }: Meant): void {
    const { agent = noNames } = names
    const { hour = noColumn } = values
    const { ofDay, ofAgents, hours } = this
    for (const [index, name] of summedColumns.entries()) {
      const column = values[name] ?? noColumn
      for (let n = 0; n < rows.length; n++) {
        const row = rows[n] as number
        const value = column[row] as number
        if (value < 2) continue // nothing, or 0
        const moment = hours === 1 ? index : ((hour[row] as number) - 1) * width + index
        const ofAgent = (agent[row] as number) * width + index
        ofDay[moment] = (ofDay[moment] as number) + value - 1
        ofAgents[ofAgent] = (ofAgents[ofAgent] as number) + value - 1
      }
    }
    for (let hour = 0; hour < this.hours; hour++) {
      const totals = totalsIn(this.ofDay, hour)
      if (totals)
        this.moments.push({ at: this.hours === 1 ? day : `${day}T${String(hour).padStart(2, '0')}`, ...totals })
    }
    this.ofDay.fill(0)
  }

  all(names: Names): { moments: Moment[]; agents: AgentTotals[] } {
    const ids = names.all('agent')
    const agents: AgentTotals[] = []
    for (let number = 0; number * width < this.ofAgents.length; number++) {
      const totals = totalsIn(this.ofAgents, number)
      if (totals) agents.push({ agent_id: ids[number] ?? '', ...totals })
    }
    return { moments: this.moments, agents }
  }
}

/** Undefined where there is nothing. */
function totalsIn(sums: Float64Array, place: number): Totals | undefined {
  const values = sums.subarray(place * width, (place + 1) * width)
  if (values.every((value) => value === 0)) return undefined
  return Object.fromEntries(totalNames.map((name, index) => [name, values[index]])) as Totals
}

/** Who asked something, in which conversations, and about what. */
export class People {
  private readonly names: Names
  private readonly users: Uint8Array
  private readonly conversations: Uint8Array
  private readonly topics: { messages: number; conversations: Uint8Array }[] = []

  constructor(names: Names) {
    this.names = names
    this.users = new Uint8Array(names.size('user'))
    this.conversations = new Uint8Array(names.size('conversation'))
  }

  add({ values, names, rows }: Meant): void {
    const { asked = noColumn } = values
    const { user = noNames, conversation = noNames, topic = noNames } = names
    for (const row of rows) {
      if (asked[row] !== yes) continue
      this.users[user[row] as number] = 1
      this.conversations[conversation[row] as number] = 1
      const about = topic[row] as number
      if (about === 0) continue
      let ofTopic = this.topics[about]
      if (!ofTopic) {
        ofTopic = { messages: 0, conversations: new Uint8Array(this.conversations.length) }
        this.topics[about] = ofTopic
      }
      ofTopic.messages++
      ofTopic.conversations[conversation[row] as number] = 1
    }
  }

  counted(): { users: number; spokenIn: number; topics: TopicFigures[] } {
    const topics: TopicFigures[] = []
    const texts = this.names.all('topic')
    for (const [number, ofTopic] of this.topics.entries()) {
      if (!ofTopic) continue
      const { messages, conversations } = ofTopic
      topics.push({ topic: texts[number] ?? '', conversations: countOf(conversations), messages })
    }
    this.users[0] = 0 // questions of nobody in particular
    return { users: countOf(this.users), spokenIn: countOf(this.conversations), topics: topics.sort(byMessages) }
  }
}

const byMessages = (a: TopicFigures, b: TopicFigures): number => b.messages - a.messages || (a.topic < b.topic ? -1 : 1)

function countOf(marks: Uint8Array): number {
  let count = 0
  for (const mark of marks) count += mark
  return count
}

/** How long completed replies took. */
export class Durations {
  private values = new Float64Array(1024)
  private count = 0

  add({ values, rows }: Meant, column: 'latency' | 'firstToken'): void {
    const { completed = noColumn, [column]: durations = noColumn } = values
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

export class Tools {
  private readonly sums = new Map<string, ToolSums>()

  add({ values, names, rows }: Meant): void {
    const { tool = noNames, name = noNames } = names
    const { failed = noColumn, latency = noColumn } = values
    for (const row of rows) {
      const sums = this.sumsOf(tool[row] as number, name[row] as number)
      sums.calls++
      sums.failures += (failed[row] as number) - 1
      const took = latency[row] as number
      if (took === 0) continue
      sums.timed++
      sums.latency += took - 1
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

  all(names: Names): ToolFigures[] {
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

/** A call that has started can need an account or an answer from a person. */
export const needKinds = ['connection', 'input'] as const
/** The actions of a person that a reply, or one of its calls, can wait for. */
export const waitingKinds = ['approval', ...needKinds] as const
export type WaitingKind = (typeof waitingKinds)[number]

export type WaitingStatus = `awaiting_${WaitingKind}`
export const waitingStatuses = waitingKinds.map((kind) => `awaiting_${kind}` as const)

export const waitingKind = (status: string): WaitingKind | null =>
  waitingKinds.find((kind) => status === `awaiting_${kind}`) ?? null

export const isWaiting = (status: string): status is WaitingStatus => waitingKind(status) !== null

/** The status of a reply whose calls wait for different actions. Approvals come first: others can decide about them. */
export const firstWaiting = (statuses: readonly string[]): WaitingStatus =>
  waitingStatuses.find((status) => statuses.includes(status)) ?? 'awaiting_approval'

/** An account that must be connected before a call can be made. */
export interface NeededConnection {
  toolId: string
  name: string
  /** The owner of the account. Null for the account of the workspace. */
  userId: string | null
  /** Null if whoever asked may not connect it. */
  authorizeUrl: string | null
}

/** A question of a tool to the person: a form by its schema, or a page to open. */
export interface ToolQuestion {
  message: string
  schema?: Record<string, unknown>
  url?: string
}

export interface ToolAnswer extends ToolQuestion {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, unknown>
}

/** A person has to do this before a call can be made, or go on. */
export type Need = { kind: 'connection'; connection: NeededConnection } | { kind: 'input'; question: ToolQuestion }

/** The result of a call that needs a person, where none can be asked. */
export const unmetNeed = (need: Need): string =>
  need.kind === 'connection'
    ? `This tool needs an account in "${need.connection.name}" that is not connected, and nobody can connect it here. Tell the user to connect it under Settings, and go on without it.`
    : 'This tool asks the user a question, and nobody can answer it here. Go on without it.'

/** The result of a call whose need nobody met in time. */
export const lateNeed = (need: Need): string =>
  need.kind === 'connection'
    ? `Nobody connected an account in "${need.connection.name}" in time, so the call was not made. Say so, and go on without it.`
    : 'Nobody answered the question of this tool in time, so the call was not made. Say so, and go on without it.'

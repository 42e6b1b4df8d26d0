import { type Static, type TObject, Type } from 'typebox'
import type { Approvers } from './agent/agent-tool.ts'
import { needKinds } from './agent/needs.ts'
import type { EventType } from './events.ts'
import { Choice, identity, Nullable, Timestamp, timestamps } from './schema.ts'

interface Payload {
  summary: string
  data: TObject
}

const Counts = (names: string[]) => Type.Object(Object.fromEntries(names.map((name) => [name, Type.Integer()])))
const Anything = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

const Id = Type.String({ maxLength: 200 })
const approverNames = { type: 'array', items: { type: 'string' } }

export const AgentPath = Type.Array(
  Type.Object(
    {
      agent_id: Nullable(Id),
      agent_name: Nullable(Type.String()),
      conversation_id: Nullable(Id),
      message_id: Nullable(Id),
    },
    { title: 'AgentPathStep', examples: [{ agent_name: 'Researcher' }] },
  ),
  {
    description:
      'The agents that led to the call by asking each other as tools, the first one first. The last one is the agent itself.',
  },
)

/** A call that waits for a person. */
export const ApprovalRequired = Type.Object(
  {
    ...identity('apr'),
    conversation_id: Id,
    message_id: Id,
    tool_call_id: Type.String({ description: 'The id of the call in `tool_calls` of the message.' }),
    tool_id: Nullable(Id),
    name: Type.String({ description: 'The name by which the model calls the tool.', examples: ['send_mail'] }),
    target: Nullable(
      Type.String({
        description: 'The method and the address, or the address of the MCP server.',
        examples: ['POST https://api.example.com/mails'],
      }),
    ),
    arguments: Type.Unsafe<unknown>({
      description:
        'The arguments as the model sent them. Readers who may not see a document that the call rests on get a note instead.',
      examples: [{ to: 'ada@example.com' }],
    }),
    edited_arguments: Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'The arguments that the call was made with, if the approver has changed them.',
    }),
    agent_id: Nullable(Id),
    agent_name: Nullable(Type.String({ description: 'The name of the agent when it asked.' })),
    agent_path: AgentPath,
    user_id: Nullable(Type.String({ description: 'The user of the conversation.' })),
    requested_by: Nullable(
      Type.String({
        description: 'The person who asked the agent: the `user_id` of the token, or its id.',
        examples: ['ada'],
      }),
    ),
    status: Choice(['pending', 'approved', 'refused', 'expired'], {
      description: '`expired`: nobody decided in time, so the call was refused.',
    }),
    approvers: Type.Unsafe<Approvers | null>({
      type: ['object', 'null'],
      properties: { groups: approverNames, users: approverNames, exclude_requester: { type: 'boolean' } },
      required: ['groups', 'users'],
      description:
        'The people who may decide, as the tool said when it was called. Without groups and users: whoever may write in the conversation if the tool only reads (`read_only`), else editors and above. `exclude_requester`: neither `requested_by` nor `user_id`.',
      examples: [{ groups: ['finance'], users: [] }],
    }),
    read_only: Type.Boolean({
      description: 'Whether the tool only reads: GET and HEAD, and tools of MCP servers with `readOnlyHint`.',
    }),
    expires_at: { ...Timestamp, description: 'When it is refused without a decision.' },
    decided_by: Nullable(
      Type.String({
        description: 'The person who decided: the `user_id` of the token, or its name. Null if it expired.',
      }),
    ),
    decided_at: Nullable(Timestamp),
    comment: Nullable(
      Type.String({ description: 'The comment of the person who decided. The model is told it with a refusal.' }),
    ),
    ...timestamps,
  },
  { title: 'ApprovalRequired' },
)

export const ConversationCompleted = Type.Object(
  {
    conversation_id: Type.String(),
    agent_id: Type.String(),
    user_id: Nullable(Type.String()),
    title: Nullable(Type.String()),
    reason: Choice(['requested', 'idle'], { description: 'Completed by a request, or after a time without messages.' }),
    messages: Type.Object({ total: Type.Integer(), user: Type.Integer(), assistant: Type.Integer() }),
    tokens: Type.Object({ input: Type.Integer(), output: Type.Integer() }),
    cost: Type.Number({ description: 'US dollars.' }),
    metadata: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    created_at: Timestamp,
    completed_at: Timestamp,
  },
  { title: 'ConversationCompleted' },
)
export type ConversationCompleted = Static<typeof ConversationCompleted>

const EvaluationFinished = Type.Object(
  {
    evaluation_id: Type.String(),
    evaluation_name: Type.String(),
    run_id: Type.String(),
    status: Choice(['completed', 'failed', 'cancelled']),
    verdict: Nullable(Type.String()),
    progress: Counts(['done', 'total']),
    type: Type.String({ description: 'The type of the evaluated resource.' }),
    target_id: Type.String(),
    target_version: Nullable(Type.Integer()),
    summary: Nullable({ ...Anything, description: 'The summary as `GET /evaluations/{id}/results` shows it.' }),
    error: Nullable(Type.String()),
    created_at: Timestamp,
    started_at: Nullable(Timestamp),
    finished_at: Nullable(Timestamp),
  },
  { title: 'EvaluationFinished' },
)

const UsageThresholdExceeded = Type.Object(
  {
    threshold: Type.Object({
      id: Type.String(),
      name: Type.String(),
      entity_type: Nullable(Type.String()),
      entity_id: Nullable(Type.String()),
      metric: Choice(['cost', 'tokens']),
      limit: Type.Number(),
      window: Choice(['day', 'month', 'total']),
      action: Choice(['notify', 'block']),
    }),
    reason: Choice(['limit_reached', 'call_blocked']),
    used: Type.Number({ description: 'In the unit of `limit`.' }),
    reserved: Type.Number({ description: 'Reserved for running calls.' }),
    resets_at: Nullable(Timestamp),
    exceeded_at: Timestamp,
  },
  { title: 'UsageThresholdExceeded' },
)

const KnowledgeSourceSynced = Type.Object(
  {
    knowledge_source: Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.String(),
      status: Choice(['active', 'error']),
    }),
    sync: { ...Anything, description: 'The sync record, as in `GET /knowledge-sources/{id}/syncs/{sync}`.' },
  },
  { title: 'KnowledgeSourceSynced' },
)

const runFields = {
  run: { ...Anything, description: 'The run, as in `GET /{schedules|triggers}/{id}/runs`.' },
  reply: Nullable(Type.String({ description: 'The text of the reply, if the run has one.' })),
  user_id: Nullable(Type.String({ description: 'The person that the run acted as.' })),
}

const ScheduleRunFinished = Type.Object(
  { schedule: Type.Object({ id: Type.String(), name: Type.String() }), ...runFields },
  { title: 'ScheduleRunFinished' },
)

const TriggerRunFinished = Type.Object(
  { trigger: Type.Object({ id: Type.String(), name: Type.String() }), ...runFields },
  { title: 'TriggerRunFinished' },
)

const SchedulePaused = Type.Object(
  {
    schedule: Type.Object({ id: Type.String(), name: Type.String() }),
    failures: Type.Integer({ description: 'How many runs in a row have failed.' }),
    error: Nullable(Type.String({ description: 'Why the last one failed.' })),
  },
  { title: 'SchedulePaused' },
)

const MonitorAlert = Type.Object(
  {
    monitor: Type.Object({ id: Type.String(), name: Type.String(), agent_id: Type.String() }),
    scorer: Type.String({ description: 'The scorer whose mean fell below the limit.' }),
    mean: Type.Number({ description: 'The mean score of the last replies.' }),
    below: Type.Number({ description: 'The limit.' }),
    window: Type.Integer({ description: 'How many of the last scored replies the mean is taken over.' }),
    message_id: Type.String({ description: 'The reply whose score crossed the limit.' }),
    conversation_id: Type.String(),
  },
  { title: 'MonitorAlert' },
)

const waitingCall = {
  kind: Choice(needKinds, { description: 'What the call waits for.' }),
  conversation_id: Id,
  message_id: Id,
  tool_call_id: Type.String({ description: 'The id of the call in `tool_calls` of the message.' }),
  tool_id: Nullable(Id),
  name: Type.String({ description: 'The name by which the model calls the tool.' }),
  agent_id: Nullable(Id),
  agent_path: AgentPath,
  user_id: Nullable(Type.String({ description: 'The user of the conversation.' })),
  expires_at: { ...Timestamp, description: 'When the call is given up.' },
}

/** It has no address to connect: that is for the person alone. */
const ConnectionRequired = Type.Object(
  { ...waitingCall, account: Choice(['user', 'workspace'], { description: 'Whose account the tool needs.' }) },
  { title: 'ConnectionRequired' },
)

const InputRequired = Type.Object(
  { ...waitingCall, message: Type.String({ description: 'The question of the tool.' }) },
  { title: 'InputRequired' },
)

const WebhookTested = Type.Object({ webhook_id: Type.String(), message: Type.String() }, { title: 'WebhookTested' })

/** The payload of each event. */
export const eventPayloads: Record<EventType, Payload> = {
  'approval.required': { summary: 'A tool call waits for approval', data: ApprovalRequired },
  'connection.required': { summary: 'A tool call waits for an account', data: ConnectionRequired },
  'input.required': { summary: 'A tool call waits for an answer', data: InputRequired },
  'conversation.completed': { summary: 'A conversation was completed', data: ConversationCompleted },
  'evaluation.finished': { summary: 'An evaluation run finished', data: EvaluationFinished },
  'usage.threshold_exceeded': { summary: 'A usage threshold was exceeded', data: UsageThresholdExceeded },
  'knowledge_source.synced': {
    summary: 'A knowledge source was synced, or its sync failed',
    data: KnowledgeSourceSynced,
  },
  'monitor.alert': { summary: 'The scores of a monitor fell below its limit', data: MonitorAlert },
  'schedule.run_finished': { summary: 'A run of a schedule succeeded or failed', data: ScheduleRunFinished },
  'schedule.paused': { summary: 'A schedule was disabled after ten failures in a row', data: SchedulePaused },
  'trigger.run_finished': { summary: 'A run of a trigger succeeded or failed', data: TriggerRunFinished },
  'webhook.test': { summary: 'A webhook was tested', data: WebhookTested },
}

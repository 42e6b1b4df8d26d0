import { type Static, Type } from 'typebox'
import { roles } from '../../kernel/context.ts'
import { DayParameter } from '../../kernel/dates.ts'
import { Choice, identity, Nullable, Timestamp, timestamps } from '../../kernel/schema.ts'
import { listParameters } from '../../kernel/store/list.ts'

export const AuditEntry = Type.Object(
  {
    ...identity('aud'),
    token_id: Type.String({
      description:
        'The token that made the change, or the subject of a JWT. Of a person who was erased, the names here are keyed hashes that begin with `erased:`.',
    }),
    token_name: Nullable(Type.String()),
    role: Choice(roles),
    user_id: Nullable(Type.String()),
    action: Type.String({
      description: '`create`, `update`, `delete`, `restore`, or the action of a route, such as `sync` or `send`.',
    }),
    kind: Type.String({ examples: ['agent'] }),
    resource_id: Nullable(Type.String()),
    resource_name: Nullable(
      Type.String({ description: 'The name that the resource has now. Null if it has none, or was deleted.' }),
    ),
    part_id: Nullable(
      Type.String({ description: 'The part of the resource: a message, document, run, delivery, version or label.' }),
    ),
    fields: Type.Array(Type.String(), { description: 'The names of the changed fields, without values.' }),
    request_id: Type.String(),
    sequence: Nullable(
      Type.Integer({ description: 'Its place in the chain of the workspace; null in the moment before it is sealed.' }),
    ),
    hash: Nullable(Type.String({ description: 'The keyed hash of the chain up to this entry.' })),
    ...timestamps,
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        token_name: 'CI',
        role: 'editor',
        action: 'update',
        resource_id: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc',
        fields: ['name'],
      },
    ],
  },
)

/** Fields that no entry keeps. */
export const computed = ['updated_at', 'resource_name']

const { q, ...parameters } = listParameters(AuditEntry, computed).properties

export const AuditQuery = Type.Object(
  {
    ...parameters,
    start_date: DayParameter('The first day (UTC).'),
    end_date: DayParameter('The last day, inclusive (UTC).'),
  },
  { additionalProperties: false },
)

const link = { sequence: Type.Integer(), hash: Type.String() }

export const Verification = Type.Object(
  {
    valid: Type.Boolean(),
    since: Nullable({
      ...Timestamp,
      description:
        'Null if it is valid. Else entries up to this time are as they were written, and later ones may not be: the time of the last entry before the first problem, or the creation of the workspace.',
    }),
    entries: Type.Integer({ description: 'How many entries were checked.' }),
    unsealed: Type.Integer({ description: 'Entries whose transaction was committed during the check.' }),
    head: Type.Object(link, { description: 'The end of the chain.' }),
    anchor: Nullable(Type.Object(link, { description: 'The last entry that RETENTION_DAYS has removed.' })),
    noted_head: Nullable(
      Choice(['matches', 'differs', 'removed'], {
        description:
          'Whether the chain contains the given `sequence` and `hash`; `removed`: RETENTION_DAYS has removed that entry. Null if none was given.',
      }),
    ),
    problem_count: Type.Integer(),
    problems: Type.Array(
      Type.Object({
        sequence: Type.Integer(),
        id: Nullable(Type.String()),
        problem: Choice(['changed', 'removed', 'inserted', 'head_changed']),
      }),
      {
        description:
          'The first 100. `changed`: the entry is not as it was sealed, or not in its place. `removed`: entries from this sequence on are missing. `inserted`: the service did not write this entry. `head_changed`: the stored head of the chain was changed before this entry.',
      },
    ),
  },
  { title: 'AuditVerification' },
)
export type Verification = Static<typeof Verification>

export const VerifyQuery = Type.Object(
  {
    sequence: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The sequence number of a head that you have noted before.' }),
    ),
    hash: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The hash of that head.' })),
  },
  { additionalProperties: false },
)

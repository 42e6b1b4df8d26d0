import { type Static, Type } from 'typebox'
import { roles } from '../../kernel/context.ts'
import { Choice, identity, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'

export const User = Type.Object(
  {
    ...identity('usr'),
    user_id: ReadOnly(
      Type.String({
        description: 'The ID by which tokens, conversations and the identity provider name the person.',
        examples: ['ada'],
      }),
    ),
    name: ReadOnly(
      Nullable(
        Type.String({ description: 'From the identity provider, or as the person gave it with an invitation.' }),
      ),
    ),
    groups: ReadOnly(Type.Array(Type.String(), { description: 'The groups of their last request.' })),
    role: ReadOnly(
      Nullable(
        Choice(roles, {
          description: 'That of their last request; null if only others have acted for them.',
        }),
      ),
    ),
    first_seen_at: ReadOnly(Timestamp),
    last_seen_at: ReadOnly({ ...Timestamp, description: 'Exact to a minute.' }),
    conversations: ReadOnly(Type.Integer({ description: 'The number of their conversations.' })),
    tokens: ReadOnly(Type.Integer({ description: 'The number of tokens with their user id.' })),
    usage: ReadOnly(
      Type.Object(
        {
          tokens: Type.Integer(),
          cost: Type.Number({ description: 'US dollars.' }),
          requests: Type.Integer(),
          unpriced_requests: Type.Integer({ description: 'The requests whose price was not known.' }),
        },
        { title: 'UsageOfUser', description: 'The usage of all time.' },
      ),
    ),
    ...timestamps,
  },
  { title: 'User', 'x-searched': ['user_id', 'name'] },
)
export type User = Static<typeof User>

/** The fields of a user that editors may read: who wrote conversations that they see anyway. */
export const UserName = Type.Object(
  {
    id: User.properties.id,
    user_id: User.properties.user_id,
    name: User.properties.name,
    groups: User.properties.groups,
  },
  { title: 'UserName', examples: [{ user_id: 'ada', name: 'Ada Lovelace', groups: ['finance'] }] },
)

/** Not columns: they are counted for the rows of a page. */
export const computed = ['conversations', 'tokens', 'usage'] as const

const ExportFile = Type.Object(
  {
    name: Type.String({ examples: ['usr_01k9z8q4m6e3v7t2w5x8y1a4bc.zip'] }),
    size: Type.Integer(),
    sha256: Type.String(),
    expires_at: { ...Timestamp, description: 'The file is deleted then.' },
  },
  { title: 'ExportFile' },
)
export type ExportFile = Static<typeof ExportFile>

export const UserJob = Type.Object(
  {
    ...identity('ujb'),
    person_id: ReadOnly(
      Type.String({ description: 'The `id` of the user.', examples: ['usr_01k9z8q4m6e3v7t2w5x8y1a4bc'] }),
    ),
    subject: ReadOnly(
      Type.String({
        description: 'A keyed hash of the person. It stands for their user id in what is kept after an erasure.',
        examples: ['erased_5f2b8c1d9e3a7046b1c2d3e4f5a60718'],
      }),
    ),
    kind: ReadOnly(Choice(['export', 'erase'])),
    status: ReadOnly(Choice(['queued', 'running', 'completed', 'failed'])),
    error: ReadOnly(Nullable(Type.String())),
    receipt: ReadOnly(
      Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: { type: 'integer' },
        description: 'Counts of what was exported or erased so far, by kind.',
        examples: [{ conversations: 12, messages: 96, files: 3, usage_records: 48 }],
      }),
    ),
    file: ReadOnly(
      Nullable({ ...ExportFile, type: 'object', description: 'The file of an export, until it expires.' }),
    ),
    finished_at: ReadOnly(Nullable(Timestamp)),
    ...timestamps,
  },
  { title: 'UserJob' },
)
export type UserJob = Static<typeof UserJob>

import { type Static, Type } from 'typebox'
import { identity, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'

export const maxContent = 2000

const Source = Type.Object(
  { conversation_id: Type.String(), message_id: Type.String() },
  {
    title: 'MemorySource',
    examples: [{ conversation_id: 'cnv_01k9z8q4m6e3v7t2w5x8y1a4bc', message_id: 'msg_01k9z8q4m6e3v7t2w5x8y1a4bc' }],
  },
)

export const Memory = Type.Object(
  {
    ...identity('mem'),
    content: Type.String({ minLength: 1, maxLength: maxContent, description: 'The fact.' }),
    user_id: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The person it is about. It is only recalled in conversations of this person. For a token of role `user` always its own. Null: about nobody.',
      }),
    ),
    agent_id: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The only agent that recalls it. Null: every agent whose memory has the scope `user`.',
      }),
    ),
    source: ReadOnly(
      Nullable({
        ...Source,
        description: 'The message it comes from. Null if a person wrote it, or if it was deleted.',
      }),
    ),
    edited: ReadOnly(
      Type.Boolean({ description: 'Whether a person has written or changed it. Such a fact outlives its source.' }),
    ),
    last_recalled_at: ReadOnly(Nullable({ ...Timestamp, description: 'When an agent last recalled it.' })),
    ...timestamps,
  },
  { title: 'Memory', 'x-searched': ['content'] },
)
export type Memory = Static<typeof Memory>

export const MemoryVersion = Type.Object(
  {
    content: Type.String({ description: 'The fact before it was replaced.' }),
    source: Nullable(Source),
    edited: Type.Boolean({ description: 'Whether a person had written or changed it.' }),
    created_at: { ...Timestamp, description: 'When it was written.' },
    replaced_at: Timestamp,
  },
  { title: 'MemoryVersion', examples: [{ content: 'I live in Bern.' }] },
)
export type MemoryVersion = Static<typeof MemoryVersion>

export const MemorySettings = Type.Object(
  {
    enabled: Type.Boolean({
      description:
        'Whether agents of the workspace may recall and write memories. What is stored stays, and can be read and deleted.',
    }),
  },
  { title: 'MemorySettings', additionalProperties: false, examples: [{ enabled: true }] },
)
export type MemorySettings = Static<typeof MemorySettings>

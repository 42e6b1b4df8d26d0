import { Type } from 'typebox'
import { roles } from '../../kernel/context.ts'
import { DayParameter } from '../../kernel/dates.ts'
import { Choice, identity, Nullable, timestamps } from '../../kernel/schema.ts'
import { listParameters } from '../../kernel/store/list.ts'

export const AuditEntry = Type.Object(
  {
    ...identity('aud'),
    token_id: Type.String({ description: 'The token that made the change, or the subject of a JWT.' }),
    token_name: Nullable(Type.String()),
    role: Choice(roles),
    user_id: Nullable(Type.String()),
    action: Type.String({
      description: '`create`, `update`, `delete`, `restore`, or the action of a route, such as `sync`.',
    }),
    kind: Type.String({ examples: ['agent'] }),
    resource_id: Nullable(Type.String()),
    fields: Type.Array(Type.String(), { description: 'The names of the changed fields, without values.' }),
    request_id: Type.String(),
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

const { q, ...parameters } = listParameters(AuditEntry, ['updated_at']).properties

export const AuditQuery = Type.Object(
  {
    ...parameters,
    start_date: DayParameter('The first day (UTC).'),
    end_date: DayParameter('The last day, inclusive (UTC).'),
  },
  { additionalProperties: false },
)

import { type Static, Type } from 'typebox'
import { Description, identity, Name, timestamps } from '../../kernel/schema.ts'

export const Workspace = Type.Object(
  { ...identity('wsp'), name: Name, description: Description, ...timestamps },
  { title: 'Workspace' },
)
export type Workspace = Static<typeof Workspace>

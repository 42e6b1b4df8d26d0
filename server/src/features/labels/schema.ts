import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from '../../kernel/schema.ts'

const maxVersion = 2_147_483_647

/** The service checks the form, so that the error says what is wrong. */
const LabelName = Type.String({
  description:
    '`production`, `canary` or a name of your own: a letter, then up to 62 letters, digits, `.`, `_` and `-`.',
  examples: ['production'],
})

const Version = Type.Integer({ minimum: 1, maximum: maxVersion, description: 'The version with this label.' })

const Gate = Type.Object(
  {
    evaluation_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'An evaluation of the agent. The last run of it for a version must have passed.',
    }),
  },
  { additionalProperties: false, title: 'LabelGate', examples: [{ evaluation_id: 'evl_01k9z8q4m6e3v7t2w5x8y1a4bc' }] },
)

const labelFields = {
  label: LabelName,
  version: Version,
  previous_version: Nullable(Type.Integer({ description: 'The version that had this label before.' })),
  updated_at: Timestamp,
}
const labelExample = { label: 'production', version: 3, previous_version: 2, updated_at: '2026-01-31T12:00:00Z' }

export const Label = Type.Object(
  { ...labelFields, gate: Nullable(Gate) },
  { title: 'Label', examples: [{ ...labelExample, gate: null }] },
)
export type Label = Static<typeof Label>

export const TemplateLabel = Type.Object(labelFields, { title: 'TemplateLabel', examples: [labelExample] })

const ignored = {
  label: Type.Optional({ ...LabelName, description: 'Ignored; the path has the name.' }),
  previous_version: Type.Optional(Nullable(Type.Integer({ description: 'Ignored.' }))),
  updated_at: Type.Optional(Type.String({ description: 'Ignored.' })),
}

export const LabelBody = Type.Object(
  {
    ...ignored,
    version: Version,
    gate: Type.Optional(
      Nullable({
        ...Gate,
        description: 'Left out: the gate stays as it is. `null` removes it. The new gate already applies.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'SetLabel',
    required: ['version'],
    'x-partial': true, // a missing gate is not the same as null
    examples: [{ version: 3 }],
  },
)
export const TemplateLabelBody = Type.Object(
  { ...ignored, version: Version },
  { additionalProperties: false, title: 'SetTemplateLabel', required: ['version'], examples: [{ version: 3 }] },
)

export const ByLabel = Type.Object({ id: Type.String(), label: LabelName })

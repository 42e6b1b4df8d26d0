import type { Schemas } from '@parley/client'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AccessNames } from '../../parts/access-fields.tsx'
import type { Fields } from '../../parts/form.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'

type Rule = Schemas['AccessRule']
type Metadata = NonNullable<Rule['metadata']>

/** Rules that restrict documents of a source by path or metadata to groups and users. */
export function AccessRules({ form }: { form: Fields<Rule[]> }) {
  // A removed rule takes the text of its fields with it.
  const [removals, setRemovals] = useState(0)
  const remove = (at: number) => {
    setRemovals(removals + 1)
    form.set(form.draft.filter((_, index) => index !== at))
  }
  return (
    <div className="stack">
      <p className="muted small">
        The first rule that matches a document decides who sees it. Without a match, everyone who sees the source does.
      </p>
      {form.draft.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no id, and removing one renews all
        <fieldset key={`${removals} ${at}`} className="rule stack" aria-label={`Rule ${at + 1}`}>
          <div className="row spread">
            <strong>Rule {at + 1}</strong>
            <IconButton icon={Trash2} label={`Remove rule ${at + 1}`} onClick={() => remove(at)} />
          </div>
          <RuleFields form={form.part(at)} />
        </fieldset>
      ))}
      <div className="row">
        <Button small icon={Plus} onClick={() => form.set([...form.draft, { access: { groups: [], users: [] } }])}>
          Add rule
        </Button>
      </div>
    </div>
  )
}

/** The conditions of a rule, which are left out if they are empty, and who sees what matches. */
function RuleFields({ form }: { form: Fields<Rule> }) {
  const metadata = form.field('metadata', undefined)
  return (
    <>
      <div className="columns">
        <TextField
          label="Path"
          hint="* within a folder, ** across folders."
          placeholder="hr/**"
          {...form.field('path', undefined)}
          error={form.errorAt('path') ?? form.error}
        />
        <JsonField
          label="Metadata"
          hint={'Such as {"area": "hr"}. All fields must match.'}
          rows={3}
          {...form.json('metadata', {})}
          onChange={(value) => metadata.onChange(isEmpty(value) ? null : (value as Metadata))}
        />
      </div>
      <AccessNames form={form.part('access')} />
    </>
  )
}

const isEmpty = (value: unknown): boolean => Object.keys(value ?? {}).length === 0

import { Plus, Trash2 } from 'lucide-react'
import { useModels } from '../../api/lookups.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CheckField, NumberField, SelectField, TagsField, TextArea, TextField } from '../../ui/field.tsx'
import { JsonField } from '../../ui/json-field.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Card } from '../../ui/page.tsx'
import type { Scorer } from './draft.ts'
import { beginnings, type Setting, scorerKinds, suits } from './scorer-kinds.ts'
import type { TargetType } from './target.tsx'

type Wrong = (path: string) => string | undefined

interface ScorersProps {
  scorers: readonly Scorer[]
  target: TargetType
  onChange: (scorers: Scorer[]) => void
  wrong: Wrong
  disabled: boolean
}

/** How the answers are scored. A case passes when every scorer is content. */
export function Scorers({ scorers, target, onChange, wrong, disabled }: ScorersProps) {
  const add = (type: Scorer['type']) => onChange([...scorers, { type, config: beginnings[type] ?? {} }])
  const types = (Object.keys(scorerKinds) as Scorer['type'][]).filter((type) => suits(type, target))
  return (
    <Card
      title="Scorers"
      actions={
        !disabled && (
          <Menu
            trigger={
              <>
                <Plus aria-hidden size={14} />
                Add scorer
              </>
            }
            render={<Button small />}
          >
            {types.map((type) => (
              <MenuItem key={type} onClick={() => add(type)}>
                <span>
                  {scorerKinds[type].label}
                  <span className="field-note">{scorerKinds[type].hint}</span>
                </span>
              </MenuItem>
            ))}
          </Menu>
        )
      }
    >
      <p className="muted small">A case passes when every scorer is content with the answer.</p>
      {scorers.map((scorer, place) => (
        <OneScorer
          // biome-ignore lint/suspicious/noArrayIndexKey: a scorer has no other name than its place
          key={place}
          scorer={scorer}
          disabled={disabled}
          wrong={(path) => wrong(`scorers[${place}].${path}`)}
          onChange={(next) => onChange(scorers.map((each, other) => (other === place ? next : each)))}
          {...(scorers.length > 1 && { onRemove: () => onChange(scorers.filter((_, other) => other !== place)) })}
        />
      ))}
    </Card>
  )
}

interface OneProps {
  scorer: Scorer
  disabled: boolean
  wrong: Wrong
  onChange: (scorer: Scorer) => void
  onRemove?: () => void
}

function OneScorer({ scorer, disabled, wrong, onChange, onRemove }: OneProps) {
  const { label, hint, usualThreshold, settings } = scorerKinds[scorer.type]
  const config: Record<string, unknown> = scorer.config ?? {}
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = config
    onChange({ ...scorer, config: value === undefined ? others : { ...others, [name]: value } })
  }
  const checks = settings.filter(({ control }) => control === 'check')
  const field = (setting: Setting) => (
    <SettingField
      key={setting.name}
      setting={setting}
      value={config[setting.name]}
      error={wrong(`config.${setting.name}`)}
      onChange={(value) => set(setting.name, value)}
    />
  )
  return (
    <fieldset className="scorer" disabled={disabled}>
      <legend className="unseen">{label}</legend>
      <div className="row spread nowrap">
        <div>
          <strong>{label}</strong>
          <span className="field-note">{hint}</span>
        </div>
        {onRemove && !disabled && (
          <IconButton icon={Trash2} label={`Remove ${label.toLowerCase()}`} onClick={onRemove} />
        )}
      </div>
      {(wrong('type') ?? wrong('config')) && <p className="notice bad">{wrong('type') ?? wrong('config')}</p>}
      <div className="columns">
        {settings.filter(({ control }) => control !== 'check').map(field)}
        <NumberField
          label="Passes from"
          hint={`A score from 0 to 1. Empty: ${usualThreshold}.`}
          min={0}
          max={1}
          step="any"
          value={scorer.threshold ?? null}
          error={wrong('threshold')}
          onChange={(threshold) => onChange({ ...scorer, threshold })}
        />
      </div>
      {checks.length > 0 && <div className="row checks">{checks.map(field)}</div>}
    </fieldset>
  )
}

interface SettingProps {
  setting: Setting
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function SettingField({ setting, value, error, onChange }: SettingProps) {
  const { label, hint, control, usual, required = false, options = [] } = setting
  const common = { label, error, ...(hint && { hint }) }
  switch (control) {
    case 'check':
      return <CheckField label={label} checked={(value ?? usual) === true} onChange={onChange} />
    case 'text':
    case 'long': {
      const Control = control === 'text' ? TextField : TextArea
      return (
        <Control
          {...common}
          required={required}
          value={textOf(value)}
          onChange={(text) => onChange(text === '' && !required ? undefined : text)}
        />
      )
    }
    case 'number':
      return (
        <NumberField
          {...common}
          step="any"
          min={0}
          value={typeof value === 'number' ? value : typeof usual === 'number' ? usual : null}
          onChange={(number) => onChange(number ?? undefined)}
        />
      )
    case 'words':
      return (
        <TagsField
          label={label}
          error={error}
          {...(hint && { hint })}
          value={Array.isArray(value) ? (value as string[]) : []}
          onChange={(words) => onChange(words.length === 0 ? undefined : words)}
        />
      )
    case 'choice':
      return (
        <SelectField {...common} value={textOf(value) || String(usual ?? '')} onChange={onChange} options={options} />
      )
    case 'model':
      return <JudgeField {...common} value={textOf(value)} onChange={(id) => onChange(id || undefined)} />
    case 'json':
      return <JsonField {...common} rows={3} value={value} onChange={(given) => onChange(given ?? undefined)} />
  }
}

interface JudgeProps {
  label: string
  error: string | undefined
  value: string
  onChange: (id: string) => void
}

/** The local model only quotes and cannot judge. */
function JudgeField(props: JudgeProps) {
  const models = (useModels().data ?? []).filter(({ type, provider }) => type === 'chat' && provider !== 'local')
  return (
    <SelectField
      {...props}
      {...(models.length === 0 && { hint: 'Connect a model first: the local one cannot judge.' })}
      options={[
        { value: '', label: 'The default model' },
        ...models.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

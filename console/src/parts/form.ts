import { useState } from 'react'
import { type SaveSettings, useSave } from '../api/save.ts'
import { fieldErrors } from '../ui/errors.ts'

/** Props that bind a field to a value of the draft. An empty number field gives null. */
interface Bound<Value> {
  value: Value
  error: string | undefined
  onChange: (value: Value | null) => void
}

interface BoundJson extends Bound<unknown> {
  empty: unknown
  onValid: (isValid: boolean) => void
}

/** The value of an empty field. Texts, lists and switches have one of their own, unless they are optional. */
type Empty<Value> = null extends Value
  ? [empty: Value]
  : undefined extends Value
    ? [empty: Value]
    : Value extends number
      ? [empty: Value]
      : []

/** A draft, or a part of one, and what its fields need. */
export interface Fields<Draft> {
  draft: Draft
  /** The validation error of the draft itself. */
  error: string | undefined
  errorAt: (path: string) => string | undefined
  change(next: Partial<Draft>): void
  set(draft: Draft): void
  field<Name extends keyof Draft>(name: Name, ...empty: Empty<Draft[Name]>): Bound<Draft[Name]>
  json(name: keyof Draft, empty?: unknown): BoundJson
  /** An object or a list within the draft. */
  part<Name extends keyof Draft>(name: Name): Fields<NonNullable<Draft[Name]>>
}

export interface Form<Draft, Result = unknown> extends Fields<Draft> {
  /** The fields that differ from the saved ones. Sending only these keeps concurrent changes to others. */
  changes: Partial<Draft>
  /** Whether every JSON field can be parsed. */
  isValid: boolean
  save: ReturnType<typeof useSave<undefined, Result>>
  submit: () => void
  discard: () => void
  /** Counts discards. Used as a key, it resets fields that keep text of their own. */
  resets: number
  /** Shows the validation errors of another request until the draft changes. */
  showErrors: (error: unknown) => void
}

interface FormSettings<Draft, Result> extends Omit<SaveSettings<undefined, Result>, 'run'> {
  /** The saved values, or the first ones of something new. */
  saved: Draft
  /** The version of the saved values. Changes end with it. */
  version?: number
  run: (draft: Draft, changes: Partial<Draft>) => Promise<Result>
}

const unedited = { edited: {}, invalid: [] as string[], error: null as unknown }

/** A draft on top of saved values, and the request that saves it. Fields show its validation errors. */
export function useForm<Draft extends object, Result>(settings: FormSettings<Draft, Result>): Form<Draft, Result> {
  const { saved, version, run, ...rest } = settings
  const [state, setState] = useState({ ...unedited, version, resets: 0 })
  const current = (now: typeof state) => (now.version === version ? now : { ...now, ...unedited, version })
  const patch = (next: (now: typeof state) => Partial<typeof state>) =>
    setState((now) => ({ ...current(now), ...next(current(now)) }))
  const { edited, invalid, error, resets } = current(state)
  const draft = { ...saved, ...edited }
  const changes = pick(edited as Partial<Draft>, (name, value) => JSON.stringify(value) !== JSON.stringify(saved[name]))
  const save = useSave<undefined, Result>({ ...rest, run: () => run(draft, changes) })
  const fields = bind<Draft>({
    draft,
    error: undefined,
    errorAt: fieldErrors(error ?? save.error),
    update: (next) =>
      patch((now) => ({
        edited: pick(next({ ...saved, ...now.edited }), (name, value) => value !== saved[name]),
        error: null,
      })),
    setValid: (path, isValid) =>
      patch((now) => ({ invalid: [...now.invalid.filter((other) => other !== path), ...(isValid ? [] : [path])] })),
  })
  return {
    ...fields,
    changes,
    isValid: invalid.length === 0,
    save,
    submit: () => save.mutate(undefined),
    discard: () => {
      patch((now) => ({ ...unedited, resets: now.resets + 1 }))
      save.reset()
    },
    resets,
    showErrors: (next) => patch(() => ({ error: next })),
  }
}

const pick = <Draft extends object>(draft: Draft, isPicked: (name: keyof Draft, value: unknown) => boolean) =>
  Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => isPicked(name as keyof Draft, value)),
  ) as Partial<Draft>

interface Source<Draft> extends Pick<Fields<Draft>, 'draft' | 'error' | 'errorAt'> {
  update: (next: (draft: Draft) => Draft) => void
  setValid: (path: string, isValid: boolean) => void
}

function bind<Draft>({ draft, error, errorAt, update, setValid }: Source<Draft>): Fields<Draft> {
  const setAt = (name: keyof Draft, value: unknown) => update((now) => withValue(now, name, value))
  return {
    draft,
    error,
    errorAt,
    change: (next) => update((now) => ({ ...now, ...next })),
    set: (next) => update(() => next),
    field: (name, ...empty) => ({
      value: draft[name],
      error: errorAt(String(name)),
      onChange: (value) => setAt(name, empty.length > 0 && isEmpty(value) ? empty[0] : value),
    }),
    json: (name, empty = null) => ({
      value: draft[name],
      empty,
      error: errorAt(String(name)),
      onChange: (value) => setAt(name, value),
      onValid: (isValid) => setValid(String(name), isValid),
    }),
    part: <Name extends keyof Draft>(name: Name) => {
      type Part = NonNullable<Draft[Name]>
      const own = typeof name === 'number' ? `[${name}]` : String(name)
      const fullPath = (path: string) => (path.startsWith('[') ? `${own}${path}` : `${own}.${path}`)
      return bind<Part>({
        draft: draft[name] ?? ({} as Part),
        error: errorAt(own),
        errorAt: (path) => errorAt(fullPath(path)),
        update: (next) => update((now) => withValue(now, name, next(now[name] ?? ({} as Part)))),
        setValid: (path, isValid) => setValid(fullPath(path), isValid),
      })
    },
  }
}

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || value === false || (Array.isArray(value) && value.length === 0)

const withValue = <Draft>(draft: Draft, name: keyof Draft, value: unknown): Draft =>
  Array.isArray(draft) ? (draft.with(Number(name), value) as Draft) : { ...draft, [name]: value }

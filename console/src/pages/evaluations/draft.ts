import type { Schemas } from '@parley/client'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { queries } from '../../api/queries.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'

export type Evaluation = Schemas['Evaluation']
export type TestCase = Schemas['TestCase']
export type Scorer = Schemas['Scorer']
export type Run = Schemas['EvaluationRun']
export type Result = Schemas['EvaluationResult']
export type Comparison = Schemas['EvaluationComparison']

const editable = [
  'name',
  'description',
  'type',
  'target_id',
  'scorers',
  'concurrency',
  'pass_threshold',
  'test_cases',
] as const
type Draft = Pick<Evaluation, (typeof editable)[number]>

export interface Editing {
  draft: Draft
  change: (next: Partial<Draft>) => void
  /** The fields that are not saved yet. */
  unsaved: string[]
  discard: () => void
  save: () => void
  isSaving: boolean
  error: unknown
}

/** Unsaved changes on top of the saved evaluation. They survive switching tabs. */
export function useDraft(evaluation: Evaluation): Editing {
  const [changes, setChanges] = useState<Partial<Draft>>({})
  const unsaved = editable.filter((name) => name in changes && changes[name] !== evaluation[name])
  const { mutate, isPending, error, reset } = useSave({
    invalidates: [],
    run: () =>
      parley.evaluations.update(
        evaluation.id,
        Object.fromEntries(unsaved.map((name) => [name, changes[name]])),
        onlyIfUnchanged(evaluation),
      ),
    toast: 'Saved',
    onDone: (saved) => {
      queries.setQueryData(['evaluations', evaluation.id], saved)
      setChanges({})
      void queries.invalidateQueries({ queryKey: ['evaluations', 'list'] })
    },
  })

  return {
    draft: { ...evaluation, ...changes },
    change: (next) => setChanges((now) => ({ ...now, ...next })),
    unsaved,
    discard: () => {
      setChanges({})
      reset()
    },
    save: () => mutate(undefined),
    isSaving: isPending,
    error,
  }
}

import type { Schemas } from '@parley/client'
import { parley } from '../../api/parley.ts'
import { queries } from '../../api/queries.ts'
import { onlyIfUnchanged } from '../../api/save.ts'
import { type Form, useForm } from '../../parts/form.ts'

export type Evaluation = Schemas['Evaluation']
export type TestCase = Schemas['TestCase']
export type Scorer = Schemas['Scorer']
export type Run = Schemas['EvaluationRun']
export type Result = Schemas['EvaluationResult']
export type Comparison = Schemas['EvaluationComparison']

const toDraft = (evaluation: Evaluation) => ({
  name: evaluation.name,
  description: evaluation.description,
  type: evaluation.type,
  target_id: evaluation.target_id,
  scorers: evaluation.scorers,
  concurrency: evaluation.concurrency,
  pass_threshold: evaluation.pass_threshold,
  test_cases: evaluation.test_cases,
})
export type EvaluationForm = Form<ReturnType<typeof toDraft>>

/** Unsaved changes on top of the saved evaluation. They survive switching tabs. */
export function useEvaluationForm(evaluation: Evaluation): EvaluationForm {
  const form: EvaluationForm = useForm({
    saved: toDraft(evaluation),
    invalidates: [],
    run: (_, changes) => parley.evaluations.update(evaluation.id, changes, onlyIfUnchanged(evaluation)),
    toast: 'Saved',
    onDone: (saved: Evaluation) => {
      queries.setQueryData(['evaluations', evaluation.id], saved)
      form.discard()
      void queries.invalidateQueries({ queryKey: ['evaluations', 'list'] })
    },
  })
  return form
}

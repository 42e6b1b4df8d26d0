import { ParleyError } from '@parley/client'
import { expect, it } from 'vitest'
import { errorAction, explain, fieldErrors, toFailure, withoutIds } from '../src/ui/errors.ts'

const id = (prefix: string) => `${prefix}_01k9z8q4m6e3v7t2w5x8y1a4bc`
const budget = `The usage threshold "Tight" (${id('thr')}: $0.5 a month for the agent "${id('agt')}") has too little left for this call. It resets at 2026-12-01T00:00:00Z; or raise the limit.`

it('words a budget without ids and links to it, from an error or from a reply that failed', () => {
  const failure = { code: 'budget_exceeded', message: budget }
  expect(explain(failure).text).toMatch(
    /^The budget “Tight” has too little left for this call\. It resets (Nov 30|Dec 1)/,
  )
  expect(errorAction(failure)).toMatchObject({ label: 'Raise this budget', search: { budget: id('thr') } })
  const details = [{ path: 'threshold_id', message: id('thr') }]
  const error = toFailure(new ParleyError({ code: 'budget_exceeded', message: 'Changed words', details }))
  expect(explain(error).text).toBe('A budget has too little left for this call.')
  expect(errorAction(error)).toMatchObject({ to: '/usage', search: { budget: id('thr') } })
})

it('shows no id, whatever the code', () => {
  const texts = [
    `There is no agent "${id('agt')}" in this workspace.`,
    budget,
    `tools[0]: there is no tool "${id('rag')}" in this workspace`,
    `matches several models; use the id of one of them: ${id('mdl')} (GPT)`,
  ]
  const codes = [
    'not_found',
    'budget_exceeded',
    'unknown_reference',
    'invalid_request',
    'in_use',
    'provider_error',
    'new',
  ]
  for (const code of codes) {
    for (const message of texts) {
      const details = [{ path: 'model_id', message }]
      for (const failure of [
        { code, message },
        { code, message, details },
      ])
        expect(JSON.stringify(explain(failure))).not.toMatch(/[a-z]{3}_[0-9a-z]{26}/)
      const error = new ParleyError({ code: 'invalid_request', message, details })
      expect(fieldErrors(error)('model_id')).not.toMatch(/_[0-9a-z]{26}/)
    }
  }
  expect(withoutIds(texts[0] ?? '')).toBe('There is no agent in this workspace.')
  expect(withoutIds(texts[1] ?? '')).toMatch(/^The usage threshold "Tight" \(\$0\.5 a month\) has too little left/)
})

it('says what a provider refuses, and what still uses a thing', () => {
  const provider = (message: string) => ({ code: 'provider_error', message })
  expect(explain(provider('The provider answered 401: Incorrect API key')).title).toBe('Wrong API key')
  expect(explain(provider('The provider could not be reached: connect ECONNREFUSED')).title).toBe('Model unreachable')
  expect(explain(provider('The provider answered 400: No such thing')).text).toContain('No such thing')
  expect(errorAction(provider('The provider answered 401: x'))?.to).toBe('/models')
  const uses = (kind: string) => ({ path: id('agt'), message: `${kind} uses it as tools. To free it: PUT /api/…` })
  const failure = { code: 'in_use', message: 'In use.', details: [uses('agent'), uses('agent'), uses('evaluation')] }
  expect(explain(failure).text).toBe('Used by 2 agents and 1 evaluation. Change or delete what uses it first.')
})

it('shows the error of a field as a sentence', () => {
  const details = [{ path: 'tools[1]', message: `there is no tool "${id('rag')}" in this workspace` }]
  const errorAt = fieldErrors(new ParleyError({ code: 'unknown_reference', message: 'x', details }))
  expect(errorAt('tools')).toBe('There is no tool in this workspace')
  expect(errorAt('name')).toBeUndefined()
})

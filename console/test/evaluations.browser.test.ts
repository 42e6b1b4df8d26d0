import { expect, it } from 'vitest'
import { evaluating } from '../../server/test/evaluating.ts'
import { dismissToasts, stagedWorkspace, workspace } from './console.ts'

it('creates an evaluation, edits cases and scorers, runs it, and reads and exports the results', async () => {
  const { open, post, get } = await workspace()
  await post('/agents', { name: 'Ada' })
  const { page, problems } = await open('/evaluations')
  await page.getByText('No evaluations yet').waitFor()
  await page.getByRole('button', { name: 'New evaluation' }).first().click()
  await page.getByLabel('Name').fill('Greetings')
  await page.getByLabel('First question').fill('Hello')
  await page.getByLabel('Expected answer').fill('Hello!')
  await page.getByRole('button', { name: 'Create evaluation' }).click()
  await page.getByRole('heading', { name: 'Greetings', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Import' }).click()
  await page
    .getByLabel('Or paste cases')
    .fill('input,expected_output,from\nHow are you?,Fine,Ada\nWho are you?,Ada,Grace\n')
  await page.getByRole('button', { name: 'Import cases' }).click()
  await page.getByText('2 imported, 3 total').waitFor()
  await page.getByText('from: Grace').waitFor()
  await page.getByRole('button', { name: 'Add case' }).click()
  await page.getByLabel('Question').fill('Where is the harbour?')
  await page.getByRole('dialog').getByRole('button', { name: 'Add case' }).click()
  await page.getByRole('button', { name: 'Edit case 2' }).click()
  await page.getByLabel('Question').fill('Who wrote the handbook?')
  await page.getByRole('button', { name: 'Save case' }).click()
  await page.getByRole('button', { name: 'Remove case 3' }).click()

  await dismissToasts(page)
  await page.getByRole('tab', { name: 'Setup' }).click()
  await page.getByRole('button', { name: 'Add scorer' }).click()
  await page.getByRole('menuitem', { name: /^Contains/ }).click()
  await page.getByLabel('Words').fill('Hello!')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove similarity' }).click()
  await page.getByText('Unsaved changes: scorers, test cases').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const [{ id }] = (await get('/evaluations')).body.data
  expect((await get(`/evaluations/${id}`)).body.data).toMatchObject({
    scorers: [{ type: 'contains', config: { values: ['Hello!'] } }],
    test_cases: [{ input: 'Hello' }, { input: 'Who wrote the handbook?' }, { input: 'Where is the harbour?' }],
  })

  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('1 passed, 2 failed, 0 errors').waitFor()
  await page.getByLabel('Outcome').selectOption('failed')
  await page.getByText('Who wrote the handbook?').first().click()
  await page
    .getByText(/The answer does not contain/)
    .first()
    .waitFor()
  await expect.poll(() => page.locator('.results > li').count()).toBe(2)
  await page.getByRole('button', { name: 'Export' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  expect((await saving).suggestedFilename()).toMatch(/^run_.*\.csv$/)
  await page.getByText('Who wrote the handbook?').first().waitFor()
  await page.locator('details[open]').getByRole('link', { name: 'Open conversation' }).click()
  await page.getByRole('article', { name: 'Reply' }).waitFor()
  await page.getByRole('link', { name: 'Conversations' }).first().click()
  await page.getByRole('cell', { name: 'evaluation' }).first().waitFor()
  expect(problems).toEqual([])
})

it('compares two runs, and follows and cancels a third', async () => {
  let answer = 'yes'
  let hold: Promise<void> | undefined
  const here = await stagedWorkspace(() => ({ deltas: [answer, '.'], ...(hold && { hold }) }))
  const { create, run, ended } = evaluating(here)
  const cases = Array.from({ length: 30 }, (_, n) => ({ input: `Is ${n} a number?`, expected_output: 'yes' }))
  const id = await create({
    type: 'agent',
    target_id: here.agent,
    test_cases: cases,
    scorers: [{ type: 'contains' }],
    concurrency: 8,
  })
  const first = await run(id)
  await ended(id, first)
  answer = 'no'
  await ended(id, await run(id))
  const { page, problems } = await here.open(`/evaluations/${id}`)
  await page.getByRole('option', { name: /^A v1, Scripted · .* · 100% passed$/ }).waitFor({ state: 'attached' })
  await page.getByLabel('Compare with').selectOption({ index: 1 })
  await page.getByText('30 of 30 broke. Lower scores: Contains.').waitFor()
  await page.getByText('worse, p < 0.001').first().waitFor()
  await expect.poll(() => page.url()).toContain(`compare=${first}`)
  await page.locator('.card .result summary').first().click()
  await page.locator('.card .result').first().getByText('yes.').waitFor()
  await page.locator('.card .result').first().getByText('no.').waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.locator('.results > li > details > summary').getByText('Is 29 a number?').last().waitFor()

  hold = new Promise(() => {})
  await page.goto(`${here.url}/evaluations/${id}`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText(/of 30 cases done/).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Run cancelled').waitFor()
  await page.getByText('cancelled', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Evaluations' }).first().click()
  await page.getByRole('img', { name: /^Pass rates, newest last: 100%, 0%/ }).waitFor()
  await page.getByRole('row').getByText('cancelled').waitFor()
  expect(problems).toEqual([])
})

it('says what broke although there are too few cases to be certain', async () => {
  let answer = 'yes'
  const here = await stagedWorkspace(() => ({ deltas: [answer] }))
  const { create, run, ended } = evaluating(here)
  const id = await create({
    type: 'agent',
    target_id: here.agent,
    test_cases: Array.from({ length: 5 }, (_, n) => ({ input: `Is ${n} a number?`, expected_output: 'yes' })),
    scorers: [{ type: 'contains' }],
  })
  const first = await run(id)
  await ended(id, first)
  answer = 'no'
  await ended(id, await run(id))
  const { page, problems } = await here.open(`/evaluations/${id}?compare=${first}`)
  await page.getByText('5 of 5 broke; too few cases to be certain.').waitFor()
  await page.locator('.card .badge.warn').getByText('uncertain').waitFor()
  await expect.poll(() => page.locator('.card .badge.good').count()).toBe(0)
  expect(problems).toEqual([])
})

it('adds a reply to an evaluation as a test case', async () => {
  const here = await stagedWorkspace({ deltas: ['It takes three days.'] })
  const id = await evaluating(here).create({
    name: 'Support',
    type: 'agent',
    target_id: here.agent,
    test_cases: [{ input: 'Hi' }],
  })
  const conversation = await here.talk()
  await here.say(conversation, 'How long does it take?')
  const { page, problems } = await here.open(`/conversations/${conversation}`)
  await page.getByRole('button', { name: 'Add to evaluation' }).click()
  await page.getByRole('menuitem', { name: 'Support' }).click()
  await page.getByText('Added as case 2').waitFor()
  expect((await here.get(`/evaluations/${id}`)).body.data.test_cases[1]).toMatchObject({
    input: 'How long does it take?',
    expected_output: 'It takes three days.',
  })
  expect(problems).toEqual([])
})

it('labels a version, takes that back, and compares versions in an experiment', async () => {
  const { open, agent, put, get, post } = await stagedWorkspace({ deltas: ['Hello'] })
  await put(`/agents/${agent}`, { system_prompt: 'Be brief.' })
  const { page, problems } = await open(`/agents/${agent}`)
  await page.getByRole('button', { name: 'Labels' }).click()
  const dialog = page.getByRole('dialog', { name: 'Labels' })
  await dialog.getByLabel('Version').selectOption('1')
  await dialog.getByRole('button', { name: 'Add label' }).click()
  await dialog.getByRole('row', { name: 'production 1' }).waitFor()
  await dialog.getByLabel('Label', { exact: true }).fill('production')
  await dialog.getByRole('button', { name: 'Move label' }).click()
  await dialog.getByRole('button', { name: 'Undo: back to version 1' }).click()
  await dialog.getByRole('button', { name: 'Undo: back to version 2' }).waitFor()
  const labels = (await get(`/agents/${agent}/labels`)).body.data
  expect(labels).toMatchObject([{ label: 'production', version: 1 }])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Production: 1' }).waitFor()

  await page.getByRole('link', { name: 'Experiments' }).click()
  await page.getByRole('button', { name: 'New experiment' }).first().click()
  const form = page.getByRole('dialog', { name: 'New experiment' })
  await form.getByLabel('Name').fill('Brief')
  await form.getByLabel('Variant 2').fill('2')
  await form.getByRole('button', { name: 'Create experiment' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await page.getByText(/Not enough data yet: production has values from 0 of 50 people/).waitFor()
  await page
    .getByRole('row', { name: /^Version 2/ })
    .getByRole('button', { name: 'Promote' })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Promote' }).click()
  await page.getByRole('button', { name: 'Start again' }).waitFor()
  expect((await get(`/agents/${agent}/labels`)).body.data).toMatchObject([{ version: 2, previous_version: 1 }])

  const conversation = (await post('/conversations', { agent_id: agent })).body.data.id
  await post(`/conversations/${conversation}/messages`, { message: 'Hello' })
  await page.getByRole('link', { name: 'Analytics' }).click()
  await page.getByRole('tab', { name: 'By version' }).click()
  await page.getByRole('row', { name: /version 2/ }).waitFor()
  await page.getByRole('tab', { name: 'By label' }).click()
  await page.getByRole('row', { name: /production/ }).waitFor()
  expect(problems).toEqual([])
})

it('watches replies with a monitor, and reviews them by keyboard', async () => {
  const here = await stagedWorkspace(({ body }) => {
    const isJudge = JSON.stringify(body.messages).includes('without guessing')
    const verdict = '{"reason": "It is too short.", "score": 0.25}'
    return { deltas: [isJudge ? verdict : 'Two weeks.'], usage: { input: 10, output: 5 } }
  })
  const { open, post, put, get, model, agent, ctx, talk, say } = here
  await put(`/models/${model}`, { is_default: true })
  const cases = [{ input: 'Hi', expected_output: 'Hello' }]
  await post('/evaluations', { name: 'Regression', type: 'agent', target_id: agent, test_cases: cases })
  const { page, problems, goTo } = await open('/monitors?new=yes')
  await page.getByLabel('Name').fill('Helpful')
  await page.getByLabel('Sample').fill('1')
  await page.getByRole('button', { name: 'Create monitor' }).click()
  await page.getByRole('heading', { name: 'Helpful', level: 1 }).waitFor()
  await page.getByText('No scores yet').waitFor()
  const [monitor] = (await get('/monitors')).body.data
  await put(`/monitors/${monitor.id}`, { alert: { below: 0.5, window: 1 } })

  await put(`/agents/${agent}/labels/production`, { version: 1 })
  const conversation = await talk()
  await say(conversation, 'How long does delivery take?')
  const two = (await say(conversation, 'And returns?')).body.data
  await post(`/conversations/${conversation}/messages/${two.id}/feedback`, { rating: 'down' })
  await ctx.db.transaction().execute((tx) => ctx.jobs.enqueue(tx, 'monitors.find', { workspace: null }))
  await page.getByRole('figure', { name: 'Mean scores' }).waitFor()
  await page.getByRole('region', { name: 'Scores by label' }).getByRole('cell', { name: 'production' }).waitFor()
  await page.getByRole('tab', { name: 'Scores' }).click()
  await page.getByText('It is too short.').first().click()
  await page.getByText('llm_judge 0.25').first().waitFor()

  await goTo('/')
  await page.getByRole('link', { name: 'Scores of Helpful are low' }).click()
  await page.getByRole('heading', { name: 'Helpful', level: 1 }).waitFor()

  await goTo('/reviews')
  await page.getByText('2 to review').waitFor()
  const shown = async () => (await page.locator('.review-text').allTextContents()).join('\n')
  const first = await shown()
  await page.keyboard.press('n')
  await expect.poll(shown).not.toBe(first)
  // More than one page of the queue can be gone through, and the first one follows the last.
  await ctx.db.transaction().execute(async (tx) => {
    const review = await tx.selectFrom('review').selectAll().where('message_id', '=', two.id).executeTakeFirstOrThrow()
    const replies = await tx.selectFrom('message').selectAll().where('id', '=', two.id).execute()
    for (let n = 0; n < 25; n++) {
      const message_id = ctx.newId('msg')
      await tx
        .insertInto('message')
        .values(replies.map((reply) => ({ ...reply, id: message_id, content: `Copy ${n}` })))
        .execute()
      await tx
        .insertInto('review')
        .values({ ...review, id: ctx.newId('rev'), message_id, reason: 'manual' })
        .execute()
    }
  })
  await page.reload()
  await page.getByText('27 to review').waitFor()
  const seen = new Set<string>()
  for (let text = first; !seen.has(text) && seen.size < 100; text = await shown()) {
    seen.add(text)
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(shown).not.toBe(text)
    await page.locator('.review-text').first().waitFor() // while the next part of the queue is loaded, none is shown
  }
  expect(seen.size).toBeGreaterThan(25)
  expect(await shown()).toBe(first)
  await ctx.db.deleteFrom('review').where('reason', '=', 'manual').execute()
  await ctx.db.deleteFrom('message').where('content', 'like', 'Copy %').execute()
  await goTo('/reviews?reason=feedback')
  await page.getByText('1 to review').waitFor()
  await page.keyboard.press('e')
  await page.keyboard.type('Fourteen days, good to know.')
  await page.keyboard.press('Escape')
  await page.getByLabel('Add as a test case to').selectOption('Regression')
  await page.keyboard.press('Escape')
  await page.keyboard.press('b')
  await page.getByText('Marked as bad, test case added').waitFor()
  await goTo('/reviews')
  await page.getByText('How long does delivery take?').waitFor()
  await page.getByLabel('Assign to').fill('eve')
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByText('Assigned to eve', { exact: true }).first().waitFor()
  // The evaluation that was chosen last stays chosen.
  await expect
    .poll(() => page.getByLabel('Add as a test case to').locator('option:checked').textContent())
    .toBe('Regression')
  await page.keyboard.press('g')
  await page.getByText('Nothing to review').waitFor()
  const [assigned] = (await get('/reviews?assigned_to=eve')).body.data
  expect(assigned).toMatchObject({ verdict: 'good', status: 'done' })
  const [evaluation] = (await get('/evaluations')).body.data
  expect((await get(`/evaluations/${evaluation.id}`)).body.data.test_cases[1]).toMatchObject({
    ...{ input: 'And returns?', expected_output: 'Fourteen days, good to know.', metadata: { message_id: two.id } },
  })
  expect(problems).toEqual([])
})

import { expect, it } from 'vitest'
import { scriptedApi } from '../../server/test/scripted-api.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts'
import { dismissToasts, stagedWorkspace, workspace } from './console.ts'

it('every link of the navigation opens its page, which sends no request twice', async () => {
  const { open } = await workspace()
  const { page, problems, requests } = await open()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect.poll(() => links.count()).toBe(21)
  for (const name of await links.allInnerTexts()) {
    await expect.poll(() => page.locator('main .loading').count()).toBe(0)
    expect(requests).toEqual([...new Set(requests)])
    requests.length = 0
    await links.filter({ hasText: name }).click()
    await page.getByRole('heading', { name: name === 'Home' ? 'Welcome' : name, level: 1, exact: true }).waitFor()
  }
  expect(problems).toEqual([])
})

it('creates an agent, chats with it, edits it and restores a version', async () => {
  const { open, token, get } = await workspace()
  const { page, problems } = await open('/agents')
  await page.getByText('No agents yet').waitFor()
  await page.getByRole('button', { name: 'New agent' }).first().click()
  await page.getByLabel('Name').fill('Support')
  await page.getByRole('textbox', { name: 'Instructions' }).fill('You are kind.')
  await page.getByRole('button', { name: 'Create agent' }).click()
  await page.getByRole('heading', { name: 'Support', level: 1 }).waitFor()

  await page.getByLabel('Message', { exact: true }).fill('What is 12 times 12?')
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'Reply' }).getByRole('button', { name: 'Good reply' }).click()
  await page.getByRole('button', { name: 'Good reply', pressed: true }).waitFor()
  await page.getByText(/\d+ tokens · \$0\.00/).waitFor()
  await page.getByRole('button', { name: 'Regenerate' }).click()
  await page.getByText(/\d+ tokens · \$0\.00/).waitFor()
  await page.getByRole('button', { name: 'Use in code' }).click()
  await page.getByText('curl -N').waitFor()
  expect(await page.content()).not.toContain(token)
  await page.keyboard.press('Escape')

  await page.getByLabel('System prompt').fill('You are kind and brief.')
  await page.getByText('Unsaved changes: system prompt').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Saved as version 2').waitFor()
  await page.getByRole('button', { name: 'Version 2' }).click()
  await page.getByText('Changes from version 1 to 2, by Owner').waitFor()
  const change = page.getByRole('definition')
  await expect.poll(() => change.getByRole('insertion').allTextContents()).toEqual(['You are kind and brief.'])
  await expect.poll(() => change.getByRole('deletion').allTextContents()).toEqual(['You are kind.'])
  await page.getByRole('button', { name: 'Version 1' }).click()
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('Restored as version 3').waitFor()
  await expect.poll(() => page.getByLabel('System prompt').inputValue()).toBe('You are kind.')
  const [agent] = (await get('/agents')).body.data
  expect((await get(`/agents/${agent.id}`)).body.data).toMatchObject({ system_prompt: 'You are kind.', version: 3 })
  expect(problems).toEqual([])
})

it('sets how the model of an agent generates', async () => {
  const { open, post, get } = await workspace()
  const { id } = (await post('/agents', { name: 'Ada' })).body.data
  const { page, problems } = await open(`/agents/${id}`)
  await page.getByText('More settings').click()
  await page.getByLabel('Top P').fill('0.5')
  await page.getByLabel('Seed').fill('7')
  await page.getByLabel('Reasoning effort').selectOption('Low')
  await page.getByLabel('Stop texts').fill('END')
  await page.keyboard.press('Enter')
  await page.getByLabel('Tool use').selectOption('Never call a tool')
  await page.getByLabel('Several tools at once').selectOption('One at a time')
  await expectAccessible(page, 'more settings', { within: 'main' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as version 2').waitFor()
  const set = { top_p: 0.5, seed: 7, reasoning_effort: 'low', stop: ['END'], tool_choice: 'none' }
  expect((await get(`/agents/${id}`)).body.data).toMatchObject({ ...set, parallel_tool_calls: false })
  await expect.poll(() => page.getByLabel('Top P').inputValue()).toBe('0.5') // open, because something is set
  expect(problems).toEqual([])
})

it('makes the replies of an agent JSON, with what is wrong at the field', async () => {
  const { open, provider, agent } = await stagedWorkspace({ deltas: ['{"answer":', '"Yes"}'] })
  const { page } = await open(`/agents/${agent}`)
  await page.getByText('More settings').click()
  await page.getByLabel('Reply format').selectOption('JSON that follows a schema')
  const schema = page.getByLabel('JSON schema')
  await schema.fill('{"type": ')
  await page.getByText('Invalid JSON').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(false)
  await schema.fill('{"type": "nonsense"}')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Is not a usable JSON Schema').waitFor()
  await schema.fill('{"type": "object", "required": ["answer"]}')
  await expectAccessible(page, 'response format', { within: 'main' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as version 2').waitFor()
  await page.getByLabel('Message', { exact: true }).fill('Is it?')
  await page.keyboard.press('Enter')
  const reply = page.getByRole('article', { name: 'Reply' })
  await reply.getByLabel('Code in json').waitFor()
  await expect.poll(() => reply.locator('pre').textContent()).toContain('"answer": "Yes"')
  provider.next({ deltas: ['{}'] }, { deltas: ['{}'] })
  await page.getByLabel('Message', { exact: true }).fill('Again?')
  await page.keyboard.press('Enter')
  await page.getByText('answer: is required').waitFor()
})

it('two people who edit the same agent do not overwrite each other', async () => {
  const { open, post, put } = await workspace()
  const { id } = (await post('/agents', { name: 'Shared' })).body.data
  const { page } = await open(`/agents/${id}`)
  await page.getByLabel('Description').fill('Mine')
  await put(`/agents/${id}`, { description: 'Theirs' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Someone else changed this').waitFor()
})

it('previews the variables of a prompt and saves a new version', async () => {
  const { open, get, post } = await workspace()
  const { page, problems } = await open('/prompts')
  await page.getByRole('button', { name: 'New template' }).first().click()
  await page.getByLabel('Name').fill('Tutor')
  await page.getByRole('textbox', { name: 'Template' }).fill('Answer as {{persona}}.')
  await page.getByRole('button', { name: 'Create template' }).click()
  await page.getByLabel('persona').fill('a pirate')
  await page.getByLabel('Rendered text').getByText('Answer as a pirate.').waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Answer as {{persona}}, in {{language}}.')
  await page.getByLabel('language').fill('{{persona}}')
  await page.getByLabel('Rendered text').getByText('Answer as a pirate, in {{persona}}.').waitFor()
  await dismissToasts(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as version 2').waitFor()

  const [{ id }] = (await get('/prompt-templates')).body.data
  const variables = { persona: 'a poet', language: 'French' }
  const agent = { name: 'Ada', prompt_template_id: id, prompt_variables: variables }
  const made = (await post('/agents', agent)).body.data.id
  await page.reload()
  await page.getByRole('link', { name: 'Ada' }).waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Answer as {{persona}}, in {{language}}, for {{reader}}.')
  await page.getByLabel('reader of Ada').fill('children')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as version 3').waitFor()
  expect((await get(`/agents/${made}`)).body.data.prompt_variables).toEqual({ ...variables, reader: 'children' })
  expect(problems).toEqual([])
})

it('connects a model with its price, tests it, makes it the default and removes it, and never shows its key', async () => {
  const provider = await scriptedApi(({ method, headers }) => {
    if (headers.authorization !== 'Bearer sk-secret-key-1234') return { status: 401, body: 'No such key.' }
    return method === 'GET'
      ? { body: { data: [{ id: 'gpt-4o-mini', shutdown_date: '2027-03-31' }, { id: 'small-1' }] } }
      : { status: 500 }
  })
  const { open, get } = await workspace()
  const { page, problems } = await open('/models')
  await page.getByRole('button', { name: 'Test Local extractive' }).click()
  await page.getByText('Local extractive works').waitFor()
  await page.getByRole('button', { name: 'Connect a model' }).click()
  await page.getByRole('radio', { name: 'OpenAI-compatible' }).check()
  await page.getByLabel('Endpoint', { exact: true }).fill(`${provider.url}/v1`)
  await page.getByLabel('2. API key (optional)').fill('sk-wrong')
  await page.getByLabel('3. Model').fill('small-1')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('alert').getByText('The provider answered 401: No such key.').waitFor()
  expect((await get('/models')).body.data).toHaveLength(3)
  await page.getByLabel('2. API key (optional)').fill('sk-secret-key-1234')
  await page.getByLabel('3. Model').fill('')
  await page.getByText('2 offered by the provider.').waitFor()
  await page.getByRole('radio', { name: /^gpt-4o-mini.*\$0.15 in · \$0.60 out/ }).check()
  await page.getByText('Advanced').click()
  await expect.poll(() => page.getByLabel('Input price per 1M tokens').inputValue()).toBe('0.15')
  await expect.poll(() => page.getByLabel('Context window').inputValue()).toBe('128000')
  const warning = page.getByText('The provider shuts this model down on 2027-03-31.')
  await warning.waitFor()
  await page.getByRole('radio', { name: /^small-1.*price not known/ }).check()
  await warning.waitFor({ state: 'detached' })
  await expectAccessibleInBothThemes(page, 'connect a model')
  await page.getByLabel('Input price per 1M tokens').fill('1')
  await page.getByLabel('Output price per 1M tokens').fill('2')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('alert').getByText('The model did not answer: The provider answered 500').waitFor()
  expect((await get('/models')).body.data).toHaveLength(3)
  await page.getByRole('button', { name: 'Save anyway' }).click()
  await page.getByText('small-1 saved without a working test').waitFor()
  await page.getByText('failing', { exact: true }).filter({ visible: true }).waitFor()
  await page.getByRole('cell', { name: '$1.00 in · $2.00 out', exact: true }).waitFor()
  await page.getByText('…1234').waitFor()
  await page.getByLabel('2. API key (optional)').waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain('sk-secret-key')
  await page.getByRole('button', { name: 'Test small-1' }).click()
  await page.getByText('small-1 test failed').waitFor()
  await page.getByRole('button', { name: 'More for small-1' }).click()
  await page.getByRole('menuitem', { name: 'Make default' }).click()
  await page.getByText('small-1 is now the default').waitFor()
  const models = (await get('/models?type=chat')).body.data
  expect(models.find((model: { is_default: boolean }) => model.is_default).name).toBe('small-1')
  await page.getByRole('button', { name: 'Remove small-1' }).click()
  await page.getByRole('button', { name: 'Remove model' }).click()
  await page.getByText('small-1 removed').waitFor()
  expect(problems).toEqual([])
})

it('filters, reads and completes conversations, with the filter in the URL', async () => {
  const { open, post } = await workspace()
  const agent = (await post('/agents', { name: 'Ada' })).body.data.id
  for (const title of ['About the invoice', 'About the weather']) {
    const { id } = (await post('/conversations', { agent_id: agent, title })).body.data
    await post(`/conversations/${id}/messages`, { message: 'Hello' })
  }
  const { page, problems } = await open('/conversations')
  await page.getByRole('link', { name: 'About the weather' }).waitFor()
  await page.getByLabel('Agent').selectOption({ label: 'Ada' })
  await expect.poll(() => page.url()).toContain(`agent=${agent}`)
  await page.reload()
  await page.getByRole('link', { name: 'About the invoice' }).click()
  await page.getByRole('article', { name: 'Reply' }).waitFor()
  await page.getByRole('button', { name: 'Complete' }).click()
  await page.getByText('Conversation completed').waitFor()
  await expect.poll(() => page.getByLabel('Message', { exact: true }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('shows usage by model, agent and user', async () => {
  const { open, post } = await workspace()
  const agent = (await post('/agents', { name: 'Ada' })).body.data.id
  const { id } = (await post('/conversations', { agent_id: agent, user_id: 'grace' })).body.data
  await post(`/conversations/${id}/messages`, { message: 'Hello' })
  const { page, problems } = await open('/usage')
  await page.getByRole('button', { name: 'Local extractive' }).waitFor()
  await page.getByRole('tab', { name: 'By agent' }).click()
  await page.getByRole('button', { name: 'Ada' }).click()
  await page.getByText('Filtered by Ada').waitFor()
  await page.getByRole('tab', { name: 'By user' }).click()
  await page.getByRole('button', { name: 'grace' }).waitFor()
  expect(problems).toEqual([])
})

it('creates a token, shows it once and revokes it; creates and opens a workspace', async () => {
  const { open, get } = await workspace()
  const { page, problems } = await open('/settings')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill('Phone')
  await page.getByLabel('Role').selectOption('user')
  await page.getByLabel('User', { exact: true }).fill('ada')
  await page.getByRole('button', { name: 'Create token' }).click()
  const made = (await page.getByLabel('Token', { exact: true }).textContent()) ?? ''
  expect((await get('/me', { token: made.trim() })).body.data).toMatchObject({ role: 'user', user_id: 'ada' })
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => page.content()).not.toContain(made)
  await page.getByRole('button', { name: 'Revoke Phone' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('Token revoked').waitFor()
  expect((await get('/me', { token: made.trim() })).status).toBe(401)
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill('Prometheus')
  await page.getByLabel('Role').selectOption('metrics')
  await page.getByRole('button', { name: 'Create token' }).click()
  const scraper = (await page.getByLabel('Token', { exact: true }).textContent()) ?? ''
  expect(await page.getByLabel('Sign-in link').count()).toBe(0)
  expect((await get('/metrics', { token: scraper.trim() })).status).toBe(200)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: 'metrics', exact: true }).waitFor()

  await page.getByRole('tab', { name: 'Workspaces' }).click()
  await page.getByRole('button', { name: 'New workspace' }).click()
  await page.getByLabel('Name').fill('Acme')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('button', { name: 'Open Acme' }).click()
  await page.getByText('Acme · owner').first().waitFor()
  expect(problems).toEqual([])
})

it('redirects from a page past the end of a list to the last one', async () => {
  const { open, post } = await workspace()
  await Promise.all(Array.from({ length: 26 }, (_, n) => post('/agents', { name: `Agent ${n}` })))
  const { page, problems, goTo } = await open('/agents?page=99')
  await page.getByText('26–26 of 26').waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('?page=2')
  await page.locator('.row-link').click()
  await page.getByRole('button', { name: 'Delete agent' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete agent' }).click()
  await page.getByRole('heading', { name: 'Agents', level: 1, exact: true }).waitFor()
  await goTo('/agents?page=2')
  await page.locator('.row-link').nth(24).waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  expect(problems).toEqual([])
})

it('tells things of one name apart in every picker', async () => {
  const { open, post, agent, model } = await stagedWorkspace(
    { deltas: ['Yes'] },
    { name: 'Twin', description: 'For sales' },
  )
  await post('/agents', { name: 'Twin', description: 'For support' })
  const other = {
    name: 'Scripted',
    provider: 'openai-compatible',
    model_id: 'scripted-2',
    endpoint: 'http://127.0.0.1:9/',
  }
  await post('/models', other)
  for (const description of ['Old prices', 'New prices'])
    await post('/knowledge-sources', { name: 'Prices', type: 'text', description, configuration: { documents: [] } })
  const { page, problems, goTo } = await open('/conversations')
  const twins = ['Twin (For sales)', 'Twin (For support)']
  const optionsIn = (label: string) => page.getByLabel(label, { exact: true }).locator('option').allInnerTexts()
  await expect.poll(() => optionsIn('Agent')).toEqual(['All agents', ...twins])
  await goTo('/chat')
  await expect.poll(() => optionsIn('Agent')).toEqual(twins)
  await goTo('/analytics')
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect.poll(() => optionsIn('Agent')).toEqual(['All agents', ...twins])
  await goTo(`/agents/${agent}`)
  const models = ['Scripted (openai-compatible, scripted-1)', 'Scripted (openai-compatible, scripted-2)']
  await expect.poll(() => optionsIn('Model')).toEqual(expect.arrayContaining(models))
  await expect.poll(() => page.getByLabel('Model', { exact: true }).inputValue()).toBe(model)
  await goTo('/tools?new=rag')
  await expect.poll(() => optionsIn('Knowledge source')).toEqual(['Prices (Old prices)', 'Prices (New prices)'])
  await page.keyboard.press('Escape')
  await goTo('/agents')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or go to' }).fill('Twin')
  const found = page.getByRole('option').filter({ hasText: 'Twin' })
  await expect.poll(() => found.count()).toBe(2)
  const hints = await found.locator('.muted').allInnerTexts()
  expect(hints.sort()).toEqual(['Agent, For sales', 'Agent, For support'])
  expect(problems).toEqual([])
})

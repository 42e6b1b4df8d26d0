import { expect, it } from 'vitest'
import { until } from '../../server/test/harness.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { expectAccessible } from './accessibility.ts'
import { expectNoButtons, workspace } from './console.ts'

/** A source with two documents and a tool over it. */
async function company() {
  const here = await workspace()
  const { make, upload, settled, documents } = knowledge(here)
  const source = await make({ name: 'Company' })
  await upload(source, { 'open.md': 'The zebra canteen opens at seven.', 'pay.md': 'The zebra salary is 90 thousand.' })
  await settled(source)
  const pay = (await documents(source)).find(({ name }: { name: string }) => name === 'pay.md').id
  const search = { name: 'Find', knowledge_source_ids: [source] }
  const tool = (await here.post('/retrieval-tools', search)).body.data.id
  return { ...here, source, pay, tool }
}

it('sets who sees a document by a rule, previews it as others, and explains it', async () => {
  const { open, source, pay, tool, get } = await company()
  const { page, problems, goTo } = await open(`/knowledge/${source}?tab=settings`)
  await page.getByRole('button', { name: 'Add rule' }).click()
  const rule = page.getByRole('group', { name: 'Rule 1' })
  await rule.getByLabel('Path').fill('pay*')
  await rule.getByLabel('Groups').fill('hr')
  await page.keyboard.press('Enter')
  await expectAccessible(page, 'rules', { within: 'main' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Company saved').waitFor()
  const { access_rules } = (await get(`/knowledge-sources/${source}`)).body.data
  expect(access_rules).toEqual([{ path: 'pay*', access: { groups: ['hr'], users: [] } }])

  await page.getByRole('tab', { name: 'Documents' }).click()
  const documents = page.getByRole('region', { name: 'Documents' })
  await documents.getByText('pay.md').waitFor()
  await page.getByRole('button', { name: 'Seen as…' }).click()
  await page.getByLabel('Person').fill('anna')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('Seen as anna').waitFor()
  await documents.getByText('open.md').waitFor()
  await expect.poll(() => documents.getByText('pay.md').count()).toBe(0)
  await expectNoButtons(page, ['Sync now', 'Delete source', 'Delete open.md', 'Seen as…'])
  await expectAccessible(page, 'preview', { within: 'main' })

  await goTo(`/knowledge/${source}/documents/${pay}`)
  await page.getByText('May not see it. The document is only for the group "hr" (rule 1').waitFor()
  await goTo(`/tools/retrieval/${tool}`)
  await page.getByLabel('Search query').fill('zebra')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByText('1 passage').waitFor()
  await page.getByText('canteen').first().waitFor()

  await page.getByRole('button', { name: 'Stop' }).click()
  await goTo(`/knowledge/${source}/documents/${pay}`)
  await page.getByRole('button', { name: 'Why?' }).click()
  await page.getByLabel('Groups').fill('hr')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('May see it. The group "hr" may see the document (rule 1 of the source').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit access' }).click()
  await page.getByRole('button', { name: 'Remove hr' }).click()
  await page.getByLabel('Users').fill('anna')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('only for the user "anna" (set on the document)').waitFor()
  expect(problems).toEqual([])
})

it('sets who sees an agent, and the groups of a token', async () => {
  const { open, post, get } = await workspace()
  const agent = (await post('/agents', { name: 'Payroll' })).body.data.id
  for (let n = 1; n <= 13; n++) await post('/agents', { name: `Helper ${n}` })
  const ada = { name: 'Ada', role: 'user', user_id: 'ada', groups: ['finance'] }
  await get('/me', { token: (await post('/tokens', ada)).body.data.token })
  await until(async () => (await get('/users')).body.data.length > 0)
  const { page, problems, goTo } = await open(`/agents/${agent}`)
  await page.getByRole('button', { name: 'Only these groups and users' }).click()
  await page.getByText('only editors and higher roles see it').waitFor()
  const tools = page.getByRole('group', { name: 'Tools this agent can use' })
  await tools.getByLabel('Search').fill('helper 12')
  await expect.poll(() => tools.getByRole('checkbox').count()).toBe(1)
  await tools.getByLabel('Helper 12').check()
  await tools.getByLabel('Search').fill('')
  await expect.poll(() => tools.getByRole('checkbox').first().isChecked()).toBe(true)
  await page.getByLabel('Groups').fill('hr')
  await page.getByLabel('Users').focus()
  await page.getByText('The group “hr” does not exist. Press Enter to create it.').waitFor()
  await page.getByLabel('Groups').focus()
  await page.getByRole('option', { name: 'Create group “hr”' }).click()
  await page.getByRole('option', { name: 'finance' }).click()
  await page.getByLabel('Users').fill('ad')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as version 2').waitFor()
  expect((await get(`/agents/${agent}`)).body.data.access).toEqual({ groups: ['finance', 'hr'], users: ['ada'] })

  await goTo('/settings?new=yes')
  await page.getByRole('button', { name: 'Create token' }).waitFor() // the page before has a name, too
  await page.getByLabel('Name').fill('Anna')
  await page.getByRole('combobox', { name: 'Groups' }).fill('hr')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Edit groups of Anna' }).click()
  await page.getByRole('combobox', { name: 'Groups' }).fill('sales')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: 'Anna' }).getByText('sales').waitFor()

  await goTo('/agents')
  await page.getByText('Payroll').waitFor()
  await page.getByRole('button', { name: 'Seen as…' }).click()
  await page.getByRole('combobox', { name: 'Person' }).focus()
  await page.getByRole('option', { name: 'ada', exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Groups' }).fill('sales') // exists by now, so that it need not be created
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect.poll(() => page.getByText('Payroll').count()).toBe(0)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Payroll').waitFor()
  expect(problems).toEqual([])
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { until } from '../../server/test/harness.ts'
import { dismissToasts, stagedWorkspace } from './console.ts'

/** The browser logs the requests that are refused because a field is wrong. */
const isUnexpected = (problem: string): boolean => !/status of (400|403)/.test(problem)

it('creates a schedule with its next times while one types, runs it and shows why it is paused', async () => {
  const { open, get, post, put, agent, provider } = await stagedWorkspace({ deltas: ['Fine.'] }, { name: 'Reporter' })
  const guarded = { name: 'send_mail', description: 'D', method: 'POST', url: 'https://a.example/' }
  const approvers = { groups: ['finance'], users: [] }
  const tool = (await post('/api-tools', { ...guarded, requires_approval: true, approvers })).body.data.id
  await put(`/agents/${agent}`, { tools: [tool] })
  const { page, problems, goTo } = await open('/schedules?new=yes')
  const cron = page.getByLabel('Cron expression')
  const zone = page.getByLabel('Time zone')
  await page.getByLabel('Name').fill('Morning report')
  await page.getByLabel('Agent').selectOption({ label: 'Reporter' })
  await page.getByLabel('Message').fill('Report, please')
  await zone.fill('Mars/Base')
  await page.getByText('there is no time zone "Mars/Base"').waitFor()
  await zone.fill('Asia/Kolkata')
  await cron.fill('30 9 * *')
  await page.getByText('must have five fields').waitFor()
  await cron.fill('30 9 * * 1-5')
  await page.getByText('At 09:30, Monday through Friday').waitFor()
  const times = page.getByRole('list', { name: 'Next runs' }).getByRole('listitem')
  await expect.poll(() => times.allInnerTexts()).toEqual(Array(5).fill(expect.stringMatching(/9:30 AM GMT\+5:30$/)))
  await page.getByRole('button', { name: 'Create schedule' }).click()
  await page.getByRole('heading', { name: 'Morning report', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Run now' }).click()
  const runs = page.getByRole('region', { name: 'Runs' })
  await until(async () => (await get('/schedules')).body.data[0].last_run?.status === 'succeeded')
  await dismissToasts(page)
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByText('Granted by group finance').waitFor()
  await page.getByLabel('If a run has not ended').selectOption('queue')
  await page.getByLabel('send_mail').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('group', { name: 'Tools without approval' }).getByText('members of "finance"').waitFor()
  await page.getByLabel('send_mail').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Morning report saved').waitFor()
  const [schedule] = (await get('/schedules')).body.data
  expect(schedule).toMatchObject({ cron: '30 9 * * 1-5', timezone: 'Asia/Kolkata', overlap: 'queue', enabled: true })
  await page.getByRole('tab', { name: 'Runs' }).click()
  await runs.getByText('succeeded').waitFor()
  await runs.getByRole('link', { name: 'Conversation' }).click()
  await page.getByText('Fine.').waitFor()

  for (let n = 1; n <= 10; n++) {
    provider.next({ status: 400 } as never)
    await post(`/schedules/${schedule.id}/run`)
    await until(async () => (await get(`/schedules/${schedule.id}`)).body.data.last_run.status === 'failed')
  }
  await goTo(`/schedules/${schedule.id}`)
  await page.getByText('Paused: 10 runs in a row have failed.').waitFor()
  await page.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('enabled', { exact: true }).waitFor()
  expect(problems.filter(isUnexpected)).toEqual([])
})

it('creates a trigger, whose command works as it is shown, and shows what came in', async () => {
  const { open, get } = await stagedWorkspace({ deltas: ['Noted.'] }, { name: 'Support' })
  const { page, problems } = await open('/triggers?new=yes')
  await page.getByLabel('Name').fill('Tickets')
  await page.getByLabel('Agent').selectOption({ label: 'Support' })
  await page.getByLabel('Template').fill('A ticket: {{title}}')
  await page.getByRole('button', { name: 'Create trigger' }).click()
  await page.getByText('{{title}} is not a path').waitFor()
  await page.getByLabel('Template').fill("A ticket: {{body.ticket.title}} of {{body.ticket.customer's}}")
  await page.getByLabel('Conversation key').fill('body.ticket.id')
  await page.getByRole('button', { name: 'Create trigger' }).click()
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  const secret = ((await region('Signing secret').textContent()) ?? '').trim()
  const command = (await region('curl').textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Nothing has come in yet').waitFor()
  await expect.poll(() => page.content()).not.toContain(secret)

  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { run_id: expect.any(String) } })
  const { id } = (await get('/triggers')).body.data[0]
  await until(async () => (await get(`/triggers/${id}/runs`)).body.data[0].status === 'succeeded')
  await page.getByRole('tab', { name: 'Try it' }).click()
  await page.getByLabel('Secret', { exact: true }).fill(secret)
  await expect.poll(() => region('curl').textContent()).toBe(command)
  await page.getByRole('tab', { name: 'Received' }).click()
  const received = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
  await received.getByText('succeeded').waitFor()
  await received.locator('summary').click()
  await region('Received body').getByText('"title": "Example title"').waitFor()

  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click()
  await expect.poll(() => region('Signing secret').textContent()).not.toContain(secret)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Webhooks are refused.').waitFor()
  expect(problems.filter(isUnexpected)).toEqual([])
})

import { type ErrorDetail, isParleyError } from '@parley/client'
import { dateTime } from './format.ts'

/** The error of a request, or the one that ended a reply. */
export interface Failure {
  code: string
  message: string
  details?: readonly ErrorDetail[]
  /** Seconds. */
  retryAfter?: number | null
}

interface Explanation {
  title: string
  text: string
}

const idPattern = /\s*\(?"?\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b"?\)?/g
/** The API's wording for a budget, with its id and that of its target. */
const budgetPattern = /\((thr_\w+): (.+?) for (?:the workspace|the \w+ "[^"]*")\)/

/** Removes ids from a text of the API. */
export const withoutIds = (text: string): string => text.replace(budgetPattern, '($2)').replace(idPattern, '')

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Texts by error code. Other errors show the message of the API. */
const words: Partial<Record<string, (failure: Failure) => Explanation>> = {
  budget_exceeded: ({ message }) => {
    const name = /threshold "([^"]+)"/.exec(message)?.[1]
    const reset = /resets at (\S+Z)/.exec(message)?.[1]
    const which = name ? `The budget “${name}”` : 'A budget'
    const until = reset ? ` It resets ${dateTime(reset)}.` : ''
    return { title: 'Budget reached', text: `${which} has too little left for this call.${until}` }
  },
  price_unknown: ({ message }) => {
    const model = /model "([^"]+)"/.exec(message)?.[1]
    const budget = /threshold "([^"]+)"/.exec(message)?.[1]
    return {
      title: 'Model without a price',
      text: `${model ? `“${model}”` : 'The model'} has no price, so ${budget ? `the budget “${budget}”` : 'a budget'} cannot limit this call.`,
    }
  },
  unsupported_input: ({ message }) => ({
    title: 'The model does not take images',
    text: message.replace(/ or add "image".*$/, ' or ask an administrator whether it takes images.'),
  }),
  rate_limited: ({ retryAfter }) => ({
    title: 'Too many requests',
    text: retryAfter ? `Try again in ${Math.ceil(retryAfter)} s.` : 'Wait a moment and try again.',
  }),
  not_found: () => ({ title: 'Not found', text: 'It may have been deleted or belong to another workspace.' }),
  unknown_reference: ({ message, details = [] }) => ({
    title: 'Something it uses was deleted',
    text: details[0] ? `${fieldName(details[0].path)} was deleted. Choose another one.` : withoutIds(message),
  }),
  in_use: ({ message, details = [] }) => {
    const users = details.flatMap((detail) => /^(.+?) uses it as/.exec(detail.message)?.[1] ?? [])
    const text =
      users.length > 0 ? `Used by ${counted(users)}. Change or delete what uses it first.` : withoutIds(message)
    return { title: 'Still in use', text }
  },
  precondition_failed: () => ({
    title: 'Changed by someone else',
    text: 'Someone else changed this since you opened it. Reload the page and try again.',
  }),
  conversation_busy: () => ({
    title: 'Another message is being answered',
    text: 'Wait for the reply to finish, then send yours.',
  }),
  conversation_completed: () => ({ title: 'This chat has ended', text: 'Start a new one to go on.' }),
  already_running: () => ({ title: 'Already running', text: 'Wait for it to finish, then try again.' }),
  idempotency_in_progress: () => ({ title: 'Already running', text: 'Wait for it to finish, then try again.' }),
  forbidden: ({ details: [detail] = [] }) => ({
    title: 'Not allowed',
    text: detail ? `${sentence(detail.message)}.` : 'Your role does not allow this. Ask an administrator for access.',
  }),
  invalid_token: () => ({ title: 'Signed out', text: 'Your session has ended. Sign in again.' }),
  unauthenticated: () => ({ title: 'Signed out', text: 'Your session has ended. Sign in again.' }),
  invalid_request: ({ message, details = [] }) => ({
    title: 'Check your input',
    text:
      details.length === 0
        ? withoutIds(message)
        : details.map((detail) => `${fieldName(detail.path)} ${withoutIds(detail.message)}.`).join(' '),
  }),
  provider_error: ({ message }) => {
    if (/answered 40[13]\b/.test(message))
      return { title: 'Wrong API key', text: 'The provider refused the API key of the model.' }
    if (message.includes('could not be reached'))
      return { title: 'Model unreachable', text: 'The provider of the model could not be reached.' }
    return { title: 'The model failed', text: withoutIds(message) }
  },
  provider_rate_limited: () => ({
    title: 'The provider is busy',
    text: 'The provider limits requests to the model. Try again in a moment.',
  }),
  output_invalid: ({ details = [] }) => ({
    title: 'The reply does not follow the schema',
    text: `It does not follow the schema. ${details.map(({ path, message }) => `${path}: ${message}.`).join(' ')}`.trim(),
  }),
  provider_timeout: () => ({
    title: 'The model did not respond',
    text: 'The model took too long to respond. Try again, or choose another model.',
  }),
  turn_timeout: ({ message }) => ({ title: 'The reply took too long', text: withoutIds(message) }),
  overloaded: ({ message }) => ({ title: 'The server is busy', text: withoutIds(message) }),
  internal_error: () => ({
    title: 'Something went wrong',
    text: 'The server failed. Try again. The cause is in its log.',
  }),
  connection_failed: () => ({
    title: 'No connection',
    text: 'The server is not responding. Check that it is running and that you are online, then try again.',
  }),
  timeout: () => ({ title: 'No response', text: 'The server took too long to respond. Try again.' }),
}

/** `Temperature`, `Model` for `model_id`, `Tools 2` for `tools[1]`. */
const fieldName = (path: string): string =>
  sentence(
    path
      .replace(/_ids?\b/, '')
      .replace(/\[(\d+)\]/g, (_, index: string) => ` ${Number(index) + 1}`)
      .replaceAll('_', ' '),
  )

/** `2 agents and 1 evaluation`. */
function counted(nouns: string[]): string {
  const each = [...new Set(nouns)].map((noun) => {
    const count = nouns.filter((other) => other === noun).length
    return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
  })
  return new Intl.ListFormat('en').format(each)
}

export function toFailure(error: unknown): Failure {
  if (isParleyError(error)) return error
  return { code: 'error', message: error instanceof Error ? error.message : String(error) }
}

/** An error in the words of the console. */
export const explain = (failure: Failure): Explanation =>
  words[failure.code]?.(failure) ?? { title: 'Something went wrong', text: withoutIds(failure.message) }

/** A link to the page where an administrator resolves an error. */
interface Action {
  label: string
  to: string
  search?: Record<string, string>
  /** Shown to everyone else. */
  otherwise: string
}

/** The link for an error, if there is a page that resolves it. */
export function errorAction({ code, message, details = [] }: Failure): Action | null {
  if (code === 'budget_exceeded') {
    const budget = details.find(({ path }) => path === 'threshold_id')?.message ?? budgetPattern.exec(message)?.[1]
    const otherwise = 'Ask an administrator to raise it.'
    return { label: 'Raise this budget', to: '/usage', ...(budget && { search: { budget } }), otherwise }
  }
  if (code === 'price_unknown') {
    const model = details.find(({ path }) => path === 'model_id')?.message
    const otherwise = 'Ask an administrator to set its price.'
    return { label: 'Set its price', to: '/models', ...(model && { search: { model } }), otherwise }
  }
  if (code === 'provider_error' && /answered 40[134]\b|could not be reached/.test(message))
    return { label: 'Check the model', to: '/models', otherwise: 'Ask an administrator to check the model.' }
  return null
}

/** Returns a lookup for the validation error of a field. The API writes items of lists as `list[0]` or `list.0`. */
export function fieldErrors(error: unknown): (path: string) => string | undefined {
  const details = (isParleyError(error) ? error.details : []).map(({ path, message }) => ({
    path: path.replace(/\.(\d+)/g, '[$1]'),
    message,
  }))
  return (path) => {
    const found = details.find((detail) => detail.path === path || detail.path.startsWith(`${path}[`))
    return found && sentence(withoutIds(found.message))
  }
}

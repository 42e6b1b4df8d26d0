import { type FormEvent, useState } from 'react'

interface Entry {
  enter: () => Promise<void>
  explain: (error: unknown) => string
}

/** The state of a form that starts a session: it stays busy after success, because the page is left then. */
export function useEntry({ enter, explain }: Entry) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    try {
      await enter()
    } catch (error) {
      setProblem(explain(error))
      setBusy(false)
    }
  }
  return { busy, problem, onSubmit }
}

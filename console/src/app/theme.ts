import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'
const key = 'parley-theme'
const listeners = new Set<() => void>()

const current = (): Theme => (document.documentElement.dataset.theme as Theme | undefined) ?? 'system'

export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  localStorage.setItem(key, theme)
  for (const listener of listeners) listener()
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, current)

export const isDark = (): boolean =>
  current() === 'dark' || (current() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)

import type { Provider } from './providers.ts'
import { providers } from './providers.ts'

interface ProviderTilesProps {
  value: string
  onChange: (provider: string) => void
}

/** The providers as tiles, of which one is chosen. */
export const ProviderTiles = ({ value, onChange }: ProviderTilesProps) => (
  <fieldset className="tiles">
    <legend>1. Provider</legend>
    {providers.map((provider) => (
      <label key={provider.value} className="tile">
        <input
          type="radio"
          name="provider"
          value={provider.value}
          checked={provider.value === value}
          onChange={() => onChange(provider.value)}
        />
        <Mark provider={provider} />
        <span>{provider.label}</span>
      </label>
    ))}
  </fieldset>
)

/** The mark of a provider: its initials in a hue of its own. */
const Mark = ({ provider: { mark, hue } }: { provider: Provider }) => (
  <svg className="provider-mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill={`hsl(${hue} 45% 36%)`} />
    <text x="16" y="21.5" textAnchor="middle" fontSize="14" fontWeight="700" fill="#fff">
      {mark}
    </text>
  </svg>
)

import { ProviderMark } from './provider-mark.tsx'
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
        <ProviderMark provider={provider.value} />
        <span>{provider.label}</span>
      </label>
    ))}
  </fieldset>
)

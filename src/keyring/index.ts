export { Keyring, type PublicKeyRecord } from "./keyring.ts";
export { redactionHash } from "./store-secret.ts";

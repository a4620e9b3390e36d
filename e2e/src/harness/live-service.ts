/** A service on the public feeds, with every upstream replaced by a local server. */
import { type Answering, type LiveFeed, openLiveUpstreams, type Upstream } from "@assay/testkit/upstreams";
import { temporaryFolder } from "./files.ts";
import { mintKey, type Service, startService } from "./service.ts";

export interface LiveService {
  readonly service: Service;
  readonly upstreams: Readonly<Record<LiveFeed, Upstream>>;
  readonly key: string;
  readonly dataDir: string;
  close(): Promise<void>;
}

export const startLive = async (answers: Readonly<Record<LiveFeed, Answering>>): Promise<LiveService> => {
  const folder = await temporaryFolder();
  const live = await openLiveUpstreams(answers);
  const closeAround = async (): Promise<void> => {
    await live.close();
    await folder.remove();
  };
  try {
    const settings = { ...live.settings, DATA_DIR: folder.path, TRUST_PROXY: "127.0.0.1" };
    const { plaintext: key } = await mintKey(settings, "pro");
    const service = await startService(settings);
    return {
      service,
      upstreams: live.upstreams,
      key,
      dataDir: folder.path,
      close: async () => {
        await service.stop("SIGKILL");
        await closeAround();
      },
    };
  } catch (error) {
    await closeAround();
    throw error;
  }
};

/** What `npm run test:node` has made before the tests begin. */
export interface Given {
  /** For everything that the node writes; on a disk with overlayfs. Removed after the tests. */
  directory: string;
  /** Below which pods' control groups are made, as a path from every hierarchy's root. */
  cgroup: string;
  programs: { runc: string; cniPlugins: string };
  images: { project: BuiltImage; sandbox: BuiltImage };
  /** The model cache of this machine. */
  models: string;
}

export interface BuiltImage {
  /** As pods name it. */
  name: string;
  /** In Docker's form. */
  archive: string;
}

const VARIABLE = "ESCRIBA_TEST_NODE";

export const given = {
  /** The environment in which `read` answers this. */
  environment: (value: Given): Record<string, string> => ({ [VARIABLE]: JSON.stringify(value) }),
  read: (): Given => {
    const text = process.env[VARIABLE];
    if (!text) throw new Error("a node needs namespaces and an image of its own: `npm run test:node` makes them");
    return JSON.parse(text) as Given;
  },
};

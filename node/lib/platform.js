"use strict";

/** Returns the name of the addon for this platform. */
function addon() {
  const { platform, arch } = process;
  if (platform !== "linux") return `ptc.${platform}-${arch}.node`;
  const isGnu = process.report.getReport().header.glibcVersionRuntime !== undefined;
  return `ptc.linux-${arch}-${isGnu ? "gnu" : "musl"}.node`;
}

module.exports = { addon };

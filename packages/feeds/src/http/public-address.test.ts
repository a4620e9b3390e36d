/** Which addresses a publisher may redirect a feed to. */
import { expect, it } from "vitest";
import { isPublicAddress, isPublicHost } from "./public-address.ts";

const nobody = () => expect.fail("an address is asked of nobody");

it.each(["1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001:80b::200e", "::ffff:1.1.1.1", "64:ff9b::101:101"])(
  "%s is public",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

it.each([
  ["this machine", "127.0.0.1"],
  ["this machine", "127.8.8.8"],
  ["this machine", "::1"],
  ["no machine", "0.0.0.0"],
  ["no machine", "0.1.2.3"],
  ["no machine", "::"],
  ["a private network", "10.0.0.1"],
  ["a private network", "172.16.0.1"],
  ["a private network", "172.31.255.255"],
  ["a private network", "192.168.1.1"],
  ["a private network", "fd00::1"],
  ["a private network", "fc00::1"],
  ["a private network of old", "fec0::1"],
  ["a provider's shared network", "100.64.0.1"],
  ["a provider's shared network", "100.127.255.255"],
  ["a cloud's host", "168.63.129.16"],
  ["a cloud's host, in IPv6", "::ffff:a83f:8110"],
  ["a cloud's host, behind NAT64", "64:ff9b::a83f:8110"],
  ["a link, where clouds keep their secrets", "169.254.169.254"],
  ["a link", "fe80::1"],
  ["a group", "224.0.0.1"],
  ["a group", "ff02::1"],
  ["everybody", "255.255.255.255"],
  ["documents", "192.0.2.1"],
  ["documents", "2001:db8::1"],
  ["benchmarks", "198.18.0.1"],
  ["the future", "240.0.0.1"],
  ["IPv4 in IPv6", "::ffff:127.0.0.1"],
  ["IPv4 in IPv6", "::ffff:a9fe:a9fe"],
  ["IPv4 in IPv6, of old", "::127.0.0.1"],
  ["IPv4 behind NAT64", "64:ff9b::a9fe:a9fe"],
  ["IPv4 behind 6to4", "2002:7f00:1::1"],
  ["Teredo", "2001::1"],
  ["no address", "localhost"],
])("%s is not: %s", (_, address) => expect(isPublicAddress(address)).toBe(false));

it.each([
  ["http://2130706433/", false],
  ["http://0x7f.1/", false],
  ["http://0177.0.0.1/", false],
  ["http://[::ffff:7f00:1]/", false],
  ["http://[::]/", false],
  ["http://１２７.0.0.1/", false],
  ["https://1.1.1.1/", true],
  ["https://[2606:4700::1111]/", true],
])("a URL's address is checked, however it is written: %s", async (url, isPublic) => {
  expect(await isPublicHost(new URL(url), nobody)).toBe(isPublic);
});

it.each([
  [["1.1.1.1", "2606:4700::1111"], true],
  [["1.1.1.1", "10.0.0.1"], false],
  [["127.0.0.1"], false],
  [[], false],
])("a name is judged by all of its addresses: %j", async (addresses, isPublic) => {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return addresses;
  };
  expect(await isPublicHost(new URL("https://publisher.example:8443/x"), resolve)).toBe(isPublic);
  expect(asked).toEqual(["publisher.example"]);
});

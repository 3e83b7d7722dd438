/**
 * What must hold of the packaged processes, seen from outside: the kill audit and the checks
 * against real third-party programs.
 */
package io.spillway.verify;

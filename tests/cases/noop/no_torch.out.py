#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Plain Python, oddly formatted, stays as it is."""
from   __future__ import annotations
import os, sys
from math import (
    pi,   # the number
    tau as TAU,
)

X = {'a' :1,
     "b":   2 , }  # trailing


def f( a,b = 3 , *args, c : int=4, **kwargs ) :
    '''doc'''
    return ( a+b )if a  else\
        c


@staticmethod
def g(): return os . path; sys


class A (object) : x = 1 ; y = 2


if X: pass
elif TAU : print ( f"{pi !r:>{10}}", file = sys.stderr )
else: ...
